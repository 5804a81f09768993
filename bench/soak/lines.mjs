// Whether every line is told by whom it is: its first word says so.
import { spawnSync } from 'node:child_process';

/** Asks about these files; gives how many lines are told right, and words about each that is not. */
export function judgeLines({ place, name }, files) {
  let right = 0;
  const said = [];
  for (const file of files.filter((one) => place.git('ls-files', '--', one) !== '')) {
    const { status, stdout, stderr } = spawnSync('git-agent-blame', ['--json', '--', file], {
      cwd: place.dir,
      env: place.env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) {
      said.push(`${name} ${file}: git agent-blame ended with ${status}: ${stderr}`);
      continue;
    }
    for (const { text, type, session, reason, line } of JSON.parse(stdout).lines) {
      const [hand] = text.split(' ');
      const told = type === 'human' ? 'person' : type === 'ai' ? session : type;
      if (told === hand) right++;
      else said.push(`${name} ${file}:${line} is by ${hand}, told: ${told} (${reason ?? ''})`);
    }
  }
  return { right, said };
}

export const filesOf = ({ place }) => place.git('ls-files').split('\n').filter(Boolean);
