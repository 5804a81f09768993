import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from './repository.ts';
import { amongObjects, askGit, gitEnvironment } from './run.ts';

/** What no option of `git diff-tree` pins: what is binary, and in which order files come. */
const SETTINGS = '^(core\\.(attributesfile|bigfilethreshold)|diff\\.|attr\\.)';

/** With these a commit is shown otherwise than its object says, or than anybody else sees it. */
const TWISTS = [
  ...['GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE', 'GIT_REPLACE_REF_BASE'],
  ...['GIT_DIFF_OPTS', 'GIT_ATTR_SOURCE', 'GIT_ATTR_NOSYSTEM'],
];

/**
 * All that is in no commit and has a say in which lines git shows of one: which git it is (each finds renames in its own way), settings,
 * the person's own attributes. As long as it is the same, so are the lines. Undefined where a commit is not what its object says: its parents are cut
 * off, or others were given to it.
 */
export async function readBends({ place, gitDir, commonDir }: Repository): Promise<string | undefined> {
  const env = gitEnvironment(place);
  if (TWISTS.some((name) => env[name] !== undefined)) return undefined;
  if (['shallow', 'info/grafts'].some((file) => fs.existsSync(path.join(commonDir, file)))) return undefined;
  const { out } = await askGit(amongObjects(place), ['config', '-z', '--get-regexp', SETTINGS]);
  const settings = out.toString('utf8');
  const files = [path.join(commonDir, 'info', 'attributes'), personal(settings, env, gitDir), '/etc/gitattributes'];
  const said = JSON.stringify([findProgram(env), settings, ...files.map(findText)]);
  return said.length <= MAX_LENGTH ? said : undefined;
}

/** More than anybody sets. */
const MAX_LENGTH = 1 << 16;

/** The git that is run, as the file that it is, by whatever name: to ask it for its version takes longer. */
function findProgram({ PATH = '' }: Record<string, string>): string | undefined {
  const found = PATH.split(path.delimiter).map((folder) => orNothing(() => fs.statSync(path.join(folder, PROGRAM))));
  const program = found.find((stat) => stat?.isFile());
  return program && `${program.size} ${program.mtimeMs}`;
}

const PROGRAM = process.platform === 'win32' ? 'git.exe' : 'git';

/** `NAME LF VALUE NUL`: the last one counts. */
function personal(settings: string, { HOME = '', XDG_CONFIG_HOME }: Record<string, string>, gitDir: string): string {
  const named = settings.split('\0').findLast((one) => one.startsWith(NAMED));
  if (named === undefined) return path.join(XDG_CONFIG_HOME || path.join(HOME, '.config'), 'git', 'attributes');
  return path.resolve(gitDir, named.slice(NAMED.length).replace(/^~(?=\/)/, HOME));
}

const NAMED = 'core.attributesfile\n';

function findText(file: string): string | undefined {
  return orNothing(() => (fs.statSync(file).isFile() ? fs.readFileSync(file, 'latin1') : undefined));
}

/** Nearly always it is not there; where nobody may look, git sees nothing either. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
