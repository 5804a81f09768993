import fs from 'node:fs';
import { Fault } from '../fault.ts';
import { readConfig } from '../git/config.ts';
import { withLock } from '../git/lock.ts';
import type { GitPlace } from '../git/run.ts';
import { readPending } from '../pending/reader.ts';
import { carryOutSweep, finishSweep, type PendingLines, planSweep, type Sweep } from '../pending/sweep.ts';
import { work } from '../pending/work.ts';
import type { Surroundings } from '../pending/world.ts';
import { cutoffOf, DEFAULT_RETENTION, parseRetention, printRetention, type Retention } from '../setup/retention.ts';
import { plain } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { openDoor } from './door.ts';

export const command: Command = {
  name: 'gc',
  summary: 'remove recorded sessions that are older than agent.retention and that no note refers to',
  configure(sub) {
    sub.option('-n, --dry-run', 'only say what would be removed');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  const door = await openDoor(world);
  const retention = await readRetention(door.repository.place);
  const cutoff = cutoffOf(retention, world.now());
  if (cutoff === undefined || !fs.existsSync(door.store.dir)) {
    const why = cutoff === undefined ? 'agent.retention is never: everything is kept' : 'Nothing is recorded here';
    await world.err.write(`${why}.\n`);
    return 0;
  }
  const dry = options.dryRun === true;
  const sweep = dry ? await planSweep(door, cutoff, await pendingLines(door)) : await sweepNow(door, cutoff);
  if (dry) await listSessions(world, sweep);
  await world.err.write(`${printSweep(sweep, retention, dry)}\n`);
  return 0;
}

/** What removes things does not guess: a value that makes no sense is told, not passed over. */
export async function readRetention(place: GitPlace): Promise<Retention> {
  const said = (await readConfig(place, 'agent')).get('agent.retention')?.at(-1) ?? DEFAULT_RETENTION;
  const retention = parseRetention(said);
  if (retention) return retention;
  throw new Fault('usage', `agent.retention cannot be "${plain(said)}": say for example 90 days, 1 year or never.`);
}

/** One lock for all of it: what is pending may be about the sessions that would go. */
function sweepNow(door: Surroundings, cutoff: number): Promise<Sweep> {
  return withLock(door.repository.commonDir, async () => {
    finishSweep(door.store);
    const { failures } = await work(door);
    if (failures > 0)
      throw new Fault(
        'surroundings',
        `${count(failures, 'commit')} could not be joined, so that nothing was removed: git agent doctor says why.`,
      );
    const sweep = await planSweep(door, cutoff);
    if (sweep.unread > 0)
      throw new Fault(
        'surroundings',
        `${count(sweep.unread, 'note')} cannot be read here, so that nobody knows what they refer to: nothing was removed.`,
      );
    await carryOutSweep(door.store, sweep);
    return sweep;
  });
}

/** A dry run writes nothing: what is pending is worked out in memory. */
async function pendingLines(door: Surroundings): Promise<PendingLines> {
  const { prospect, records } = await readPending(door);
  if (!prospect) return { sessions: new Set(), notes: new Map() };
  return {
    sessions: new Set(prospect.documents.keys()),
    notes: await records(prospect.due.map(({ id }) => id)),
  };
}

async function listSessions(world: World, { sessions }: Sweep): Promise<void> {
  const lines = sessions.map(
    ({ id, agent, last }) => `${new Date(last).toISOString().slice(0, 10)}  ${plain(agent)}  ${plain(id)}\n`,
  );
  if (lines.length > 0) await world.out.write(lines.sort().join(''));
}

function printSweep(sweep: Sweep, retention: Retention, dry: boolean): string {
  const parts = [
    [sweep.sessions.length, 'session'],
    [sweep.texts.length, 'text'],
    [sweep.edits, 'edit'],
    [sweep.commands, 'command'],
    [sweep.facts, 'fact'],
    [sweep.diagnostics, 'diagnostic'],
  ] as const;
  const gone = parts.flatMap(([number, thing]) => (number === 0 ? [] : [count(number, thing)]));
  const older = `older than ${printRetention(retention)}`;
  const kept = [
    ...(sweep.referred > 0
      ? [`${count(sweep.referred, 'session')} as old ${stays(sweep.referred)}: notes refer to them`]
      : []),
    ...(sweep.unreadable > 0
      ? [`${count(sweep.unreadable, 'file')} of sessions cannot be read and ${stays(sweep.unreadable)}`]
      : []),
    ...(dry && sweep.unread > 0 ? [`${count(sweep.unread, 'note')} cannot be read here: gc would remove nothing`] : []),
  ];
  const freed = `${size(sweep.bytes)} ${dry ? 'would be freed' : 'freed'}`;
  const said =
    gone.length === 0
      ? `Nothing ${older} is to be removed`
      : `${dry ? 'Would remove' : 'Removed'} what is ${older}: ${gone.join(', ')}; ${freed}`;
  return [said, ...kept].join('; ').concat('.');
}

const stays = (number: number) => (number === 1 ? 'stays' : 'stay');

function count(number: number, thing: string): string {
  return `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`;
}

function size(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
