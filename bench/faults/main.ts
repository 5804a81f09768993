import '../../test/support/environment.ts';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { campaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    kind: { type: 'string' },
    program: { type: 'string', default: path.join(process.cwd(), 'dist', 'git-agent.js') },
  },
});
const [rounds, seed, from] = [Number(values.rounds), Number(values.seed), Number(values.from)];
const [played, bad] = [new Map<string, number>(), new Map<string, number>()];
const sum = (of: ReadonlyMap<string, number>) => [...of.values()].reduce((all, one) => all + one, 0);
const printPlayed = () => {
  for (const [kind, times] of played)
    console.log(`${kind.padEnd(24)}${String(times).padStart(6)} rounds${String(bad.get(kind) ?? 0).padStart(6)} bad`);
  console.log(`seed ${seed}, from round ${from}: ${sum(played)} rounds, ${sum(bad)} bad`);
  process.exitCode = bad.size > 0 ? 1 : 0;
};
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    printPlayed();
    process.exit();
  });
const count = (into: Map<string, number>, kind: string) => into.set(kind, (into.get(kind) ?? 0) + 1);
for await (const { round, kind, said } of campaign({
  rounds,
  seed,
  from,
  kind: values.kind,
  program: values.program,
})) {
  count(played, kind);
  if (said.length === 0) continue;
  count(bad, kind);
  for (const words of said) console.log(`    seed ${seed}, round ${round}, ${kind}: ${words}`);
}
printPlayed();
