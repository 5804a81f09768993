import { Conversation } from '../acp/conversation.ts';
import { Recorder } from '../acp/recorder.ts';
import { openTap, type Tap } from '../acp/tap.ts';
import { CHAIN_VARIABLE, handedOn } from '../activity/chain.ts';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { type Diagnostic, readDiagnostics } from '../sessions/diagnostics.ts';
import { storeOf } from '../sessions/store.ts';
import { plain } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { wake } from './wake.ts';

export const command: Command = {
  name: 'acp',
  summary: 'run an agent behind the Agent Client Protocol, and record what it does',
  configure(sub) {
    sub
      .argument('[command...]', 'the agent and its arguments, after --')
      .option('--tell', 'tell the client what is recorded, where it declared that it wants logs')
      .option('--log', 'print what agents have logged so far, and run nothing');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  if (options.log === true) return printLog(world);
  if (args.length === 0) throw new Fault('usage', 'Which agent? git agent acp -- COMMAND...');
  const conversation = new Conversation(args);
  let tap: Tap | undefined;
  const recorder = new Recorder({
    conversation,
    cwd: world.cwd,
    now: world.now,
    wake: (commonDir) => wake(commonDir, world),
    onRecorded: (session, message) => {
      if (options.tell === true && conversation.logging) tap?.say(logLine(session, message));
    },
  });
  tap = openTap({
    command: args,
    cwd: world.cwd,
    env: environmentOf(world),
    onMessage: (side, message) => {
      for (const heard of conversation.hear(side, message, world.now())) recorder.take(heard);
    },
  });
  const { code, failure } = await tap.ended;
  await recorder.finish();
  // the client may hold our input open for as long as it likes
  process.stdin.destroy();
  if (failure) await world.err.write(`${world.name}: ${plain(printFailure(args[0] ?? '', failure))}\n`);
  return code;
}

/** An agent behind us has us in its chain of actors, where there is one. */
function environmentOf({ env, now }: World): World['env'] {
  const chain = env[CHAIN_VARIABLE];
  if (chain === undefined) return env;
  const us = 'git-agent-blame';
  const segment = {
    type: 'tool',
    id: us,
    display_name: us,
    attested_by: us,
    occurred_at: new Date(now()).toISOString(),
  };
  return { ...env, [CHAIN_VARIABLE]: handedOn(chain, segment) };
}

function printFailure(program: string, { code, message }: NodeJS.ErrnoException): string {
  const why = code === 'ENOENT' ? 'there is no such program' : code === 'EACCES' ? 'it may not be run' : message;
  return `cannot start ${program}: ${why}; check the name after --, and that it is on the PATH`;
}

function logLine(sessionId: string, message: string): string {
  const params = { level: 'info', logger: 'git-agent-blame', sessionId, message };
  return JSON.stringify({ jsonrpc: '2.0', method: 'log', params });
}

async function printLog({ cwd, out }: World): Promise<number> {
  const store = storeOf(await findRepository(cwd));
  for (const one of readDiagnostics(store)) await out.write(`${printDiagnostic(one)}\n`);
  return 0;
}

function printDiagnostic({ at, agent, log: { level, sessionId, logger, message } }: Diagnostic): string {
  const words = [
    new Date(at).toISOString(),
    agent,
    level ?? '-',
    sessionId ?? '-',
    logger === undefined ? '' : `[${String(logger)}]`,
  ];
  return plain(
    [...words.map(String).filter(Boolean), typeof message === 'string' ? message : JSON.stringify(message ?? '')].join(
      ' ',
    ),
  );
}
