import { printDocument } from '../agentlog/print.ts';
import { Fault } from '../fault.ts';
import { plain } from '../terminal/plain.ts';
import type { World } from './command.ts';
import type { ToldSession } from './export-sessions.ts';

export const SESSION_FORMATS = ['agentlog', 'vac', 'vac-cbor', 'agent_activity', 'otlp'] as const;
export type SessionFormat = (typeof SESSION_FORMATS)[number];

export interface Printed {
  readonly pieces: readonly (string | Uint8Array)[];
  /** What the format cannot say. */
  readonly remarks: readonly string[];
}

export interface PrintOptions {
  readonly world: World;
  /** Also what tools were given and gave back. */
  readonly content: boolean;
}

/** Sessions in a format; its package is loaded only here. */
export async function printSessions(
  sessions: readonly ToldSession[],
  format: SessionFormat,
  { world, content }: PrintOptions,
): Promise<Printed> {
  const documents = sessions.map(({ document }) => document);
  switch (format) {
    case 'agentlog':
      return { pieces: documents.map((document) => `${printDocument(document)}\n`), remarks: [] };
    case 'agent_activity':
      return printActivity(sessions, world);
    case 'otlp': {
      const { printTraces, tracesOf } = await import('../otlp/from-session.ts');
      const traces = tracesOf(documents, { version: world.version, content });
      const remarks = ['OTLP has no place for messages: only the agent\u2019s runs and its tool calls are in it'];
      return { pieces: [`${printTraces(traces)}\n`], remarks };
    }
    case 'vac':
    case 'vac-cbor':
      return printVac(sessions, format, world);
  }
}

async function printVac(sessions: readonly ToldSession[], format: 'vac' | 'vac-cbor', world: World): Promise<Printed> {
  if (format === 'vac-cbor' && sessions.length !== 1)
    throw new Fault('usage', `CBOR holds one session, and here are ${sessions.length}: name one of them.`);
  const [{ vacOf }, { originalOf }, { encodeVacCbor, printVacJson }] = await Promise.all([
    import('../vac/from-agentlog.ts'),
    import('../vac/original.ts'),
    import('../vac/print.ts'),
  ]);
  const created = new Date(world.now()).toISOString();
  const pieces = sessions.map(({ document, records: told }) => {
    const records = told.map((one) => one.record);
    const original = originalOf(document, records);
    const record = original?.record ?? vacOf({ document, records, created, version: world.version });
    return format === 'vac' ? `${printVacJson(record)}\n` : encodeVacCbor(record, original?.marks);
  });
  return { pieces, remarks: [] };
}

async function printActivity(sessions: readonly ToldSession[], world: World): Promise<Printed> {
  const [{ activityOf }, { printStream }, { CHAIN_VARIABLE, parseChain }, { replaceKnown }] = await Promise.all([
    import('../activity/from-session.ts'),
    import('../activity/print.ts'),
    import('../activity/chain.ts'),
    import('../redact/secrets.ts'),
  ]);
  const chain = parseChain(world.env[CHAIN_VARIABLE] ?? '');
  const inbound = 'chain' in chain ? chain.chain : [];
  const left: Record<string, number> = Object.create(null);
  let [mended, properties] = [0, 0];
  const pieces = sessions.map(({ document }) => {
    const told = activityOf(document, { version: world.version, scrub: replaceKnown, inbound });
    for (const [type, count] of Object.entries(told.left)) left[type] = (left[type] ?? 0) + count;
    mended += told.mended;
    properties += told.properties;
    return printStream(told.events);
  });
  const kinds = Object.entries(left).map(([type, count]) => `${count} ${plain(type)}`);
  return {
    pieces,
    remarks: [
      ...('problem' in chain ? [`${CHAIN_VARIABLE} is not used: it is ${chain.problem}`] : []),
      ...(mended > 0 ? [`of ${mended} events what agent_activity.v1 does not allow was left out`] : []),
      ...(kinds.length > 0 ? [`agent_activity.v1 has no type for some events: ${kinds.join(', ')}`] : []),
      ...(properties > 0
        ? [`agent_activity.v1 has no place for the properties of ${properties} sessions and events`]
        : []),
    ],
  };
}
