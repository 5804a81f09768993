// node bench/pictures.mjs [FOLDER]: pictures of the pages and captures of the terminal views, of a sample repository, for docs/pictures.
// Needs chromium (CHROMIUM names another one than /usr/bin/chromium), tmux, and what npm run build makes.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { FILE, playStory } from './pictures-story.mjs';
import { makePlace, ROOT } from './place.mjs';
import { stripped, terminalSvg } from './terminal-svg.mjs';

const folder = path.resolve(process.argv[2] ?? path.join(ROOT, 'docs', 'pictures'));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Nobody waits for a large picture. */
const LARGEST = 150_000;
const PATIENCE = 20_000;

const VIEWS = {
  blame: `git agent-blame ${FILE}`,
  log: 'git agent log',
  diff: 'git agent diff',
  why: `git agent why ${FILE}:11`,
  report: 'git agent report',
  status: 'git agent status',
};

const place = makePlace('pictures');
try {
  fs.mkdirSync(folder, { recursive: true });
  playStory(place);
  for (const [name, command] of Object.entries(VIEWS)) keepTerminal(name, command, `$ ${command}\n${shown(command)}`);
  await keepScreens();
  await keepPages();
  for (const name of fs.readdirSync(folder)) {
    const { size } = fs.statSync(path.join(folder, name));
    console.log(`${String(size).padStart(7)}  ${name}`);
    if (size > LARGEST) throw new Error(`${name} is larger than ${LARGEST} bytes.`);
  }
} finally {
  await place.remove();
}

/** What a person sees who types it in a terminal. */
function shown(command) {
  return told(command, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'color.ui', GIT_CONFIG_VALUE_0: 'always' });
}

function told(command, more = {}) {
  const env = { ...place.env, ...more };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: place.dir, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: exit ${status}: ${stderr}`);
  return stdout;
}

function keepTerminal(name, title, text) {
  // folders of this machine are nobody's business
  const plain = text.replaceAll(place.root, '~');
  fs.writeFileSync(path.join(folder, `${name}.txt`), `${stripped(plain).trimEnd()}\n`);
  fs.writeFileSync(path.join(folder, `${name}.svg`), terminalSvg(plain, title));
}

/** The full-screen view, in a real terminal: the file, and the conversation behind a line. */
async function keepScreens() {
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', path.join(place.root, 'tmux'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...place.env, LC_ALL: 'C.UTF-8' },
    });
  const until = async (words) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
      if (tmux('capture-pane', '-p').includes(words)) return tmux('capture-pane', '-p', '-e');
    }
    throw new Error(`no "${words}" on the screen:\n${tmux('capture-pane', '-p')}`);
  };
  const command = `git agent-blame -i ${FILE}`;
  tmux('new-session', '-d', '-x', '110', '-y', '30', '-c', place.dir, command);
  try {
    keepTerminal('full-screen', command, await until('export class Queue'));
    tmux('send-keys', 'Down', 'Down', 'Down', 'Down', 'Enter');
    keepTerminal('full-screen-conversation', `${command}: a conversation`, await until('at most N jobs'));
  } finally {
    tmux('kill-server');
  }
}

async function keepPages() {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const report = path.join(place.root, 'report.html');
  fs.writeFileSync(report, told('git agent report --standing --format html'));
  const served = await serve();
  try {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 1100, height: 760 } });
      const page = await context.newPage();
      const keep = async (name, url) => {
        await page.goto(url);
        await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
      };
      await keep('report', `file://${report}`);
      await keep('serve', served.address);
      const at = (where) => new URL(where, served.address).href;
      await keep('serve-file', at(`/file/${FILE}`));
      await keep('serve-conversation', at('/conversation/7c0de5e5-0000-4000-8000-000000000002'));
      await context.close();
    }
  } finally {
    await browser.close();
    served.close();
  }
}

/** `git agent serve`, and the address that it prints. */
async function serve() {
  const child = spawn('git-agent', ['serve'], { cwd: place.dir, env: place.env, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
    const address = /http:\S+/.exec(said)?.[0];
    if (address !== undefined && said.includes('\n')) return { address, close: () => child.kill() };
  }
  child.kill();
  throw new Error(`git agent serve did not say where: ${said}`);
}
