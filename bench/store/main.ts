import '../../test/support/environment.ts';
import fs from 'node:fs';
import path from 'node:path';
import { openWorkshop, type Workshop } from '../../test/support/workshop.ts';

/** Folders of this machine are called by other names. */
function copyPlain(shop: Workshop, from: string, to: string): void {
  const bytes = fs.readFileSync(from);
  const names: [string, string][] = [
    [shop.dir, '/srv/files'],
    [shop.dir.replace(/[^A-Za-z0-9]/g, '-'), '-srv-files'],
    [shop.home, '/home/ada'],
    [process.execPath, '/usr/bin/node'],
    [path.join(process.cwd(), 'dist'), '/usr/lib/git-agent-blame/dist'],
  ];
  const text = names.reduce((all, [old, fresh]) => all.replaceAll(old, fresh), bytes.toString('latin1'));
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, Buffer.from(text, 'latin1'));
}

/** One of everything: an edit, a person's line, a shell command, an amended commit, an edit that waits, a prompt. */
async function tell(shop: Workshop): Promise<void> {
  shop.prompt('write it');
  shop.human('a.txt', 'person one\n').commit('start');
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.commit('an edit');
  shop.git('commit', '-q', '--amend', '-m', 'amended');
  await shop.work();
  shop.shell('echo agent shell > shell.txt', 's2');
  shop.commit('a command');
  await shop.work();
  shop.ai('waits.txt', 'agent waits\n', 's2');
  await shop.work(); // into the store, and no commit speaks of it
  shop.ai('journal.txt', 'agent in the journal\n', 's2');
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('say where to: node bench/store/run.mjs FOLDER');
const shop = await openWorkshop();
try {
  await tell(shop);
  const agent = path.join(shop.common, 'agent');
  for (const name of fs.readdirSync(agent, { recursive: true, encoding: 'utf8' })) {
    const from = path.join(agent, name);
    if (fs.statSync(from).isFile() && !/^(hooks|cache)\//.test(name))
      copyPlain(shop, from, path.join(folder, 'agent', name));
  }
  shop.git('bundle', 'create', '-q', path.resolve(folder, 'repository.bundle'), '--all');
} finally {
  shop.remove();
}
