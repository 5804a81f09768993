import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

test('a brace between lines that a command says is the command’s, also where it copies the rest of the file', async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'typed by a person one {\n}\ntyped by a person two\n').commit('start');
  const fresh = 'written by the agent one {\n}\n\nwritten by the agent two\n';
  shop.shell(`{ head -n 2 f.ts\ncat <<'END'\n${fresh}END\ntail -n +3 f.ts\n} > f.new && mv f.new f.ts\n`);
  shop.commit('put in');
  expect(await shop.blame('f.ts')).toBe('hhaaaah');
});

test('a brace that a command brings from another file is not its own because it says one elsewhere', async () => {
  shop = await openWorkshop();
  shop.human('from.ts', 'typed by a person two {\n}\n').human('f.ts', 'typed by a person one\n').commit('start');
  const fresh = 'written by the agent one {\n}\nwritten by the agent two\n';
  shop.shell(`cat from.ts >> f.ts; cat >> f.ts <<'END'\n${fresh}END\n`);
  shop.commit('put in');
  expect(await shop.blame('f.ts')).toMatch(/^hh[hu]aaa$/);
});

test('what git brings from a person’s branch is the person’s, also where the agent’s command says the whole file again', async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'a first line of old\nthe middle line of old\na last line of old\n').commit('start');
  shop.git('checkout', '-q', '-b', 'other');
  const typed = 'typed on the other branch one\ntyped on the other branch two\ntyped on the other branch three\n';
  shop.human('f.ts', `a first line of old\n${typed}a last line of old\n`).commit('theirs');
  shop.git('checkout', '-q', '-');
  shop.human('f.ts', 'a first line of old\nwhat stands here otherwise\na last line of old\n').commit('ours');
  const whole = `a first line of old\n${typed}written by the agent to join them\na last line of old\n`;
  shop.shell(`git merge --squash other; cat > f.ts <<'END'\n${whole}END\ngit add -A && git commit -q -m squashed`);
  const told = await shop.blame('f.ts');
  expect(told).not.toMatch(/^.a|^..a|^...a/);
  expect(told.charAt(4)).not.toBe('h');
});
