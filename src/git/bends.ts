import fs from 'node:fs';
import path from 'node:path';
import { gitVersion, type Repository } from './repository.ts';
import { amongObjects, askGit, gitEnvironment } from './run.ts';

/** What no option of `git diff-tree` pins: what is binary, and in which order files come. */
const SETTINGS = '^(core\\.(attributesfile|bigfilethreshold)|diff\\.|attr\\.)';

/** With these a commit is shown otherwise than its object says, or than anybody else sees it. */
const TWISTS = [
  ...['GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE', 'GIT_REPLACE_REF_BASE'],
  ...['GIT_DIFF_OPTS', 'GIT_ATTR_SOURCE', 'GIT_ATTR_NOSYSTEM'],
];

/**
 * All that is in no commit and has a say in which lines git shows of one: git's version (each finds renames in its own way), settings, the
 * person's own attributes. As long as it is the same, so are the lines. Undefined where a commit is not what its object says: its parents are cut
 * off, or others were given to it.
 */
export async function readBends({ place, gitDir, commonDir }: Repository): Promise<string | undefined> {
  const env = gitEnvironment(place);
  if (TWISTS.some((name) => env[name] !== undefined)) return undefined;
  if (['shallow', 'info/grafts'].some((file) => fs.existsSync(path.join(commonDir, file)))) return undefined;
  const [version, { out }] = await Promise.all([
    gitVersion(place),
    askGit(amongObjects(place), ['config', '-z', '--get-regexp', SETTINGS]),
  ]);
  const settings = out.toString('utf8');
  const files = [path.join(commonDir, 'info', 'attributes'), personal(settings, env, gitDir), '/etc/gitattributes'];
  const said = JSON.stringify([version, settings, ...files.map(findText)]);
  return said.length <= MAX_LENGTH ? said : undefined;
}

/** More than anybody sets. */
const MAX_LENGTH = 1 << 16;

/** `NAME LF VALUE NUL`: the last one counts. */
function personal(settings: string, { HOME = '', XDG_CONFIG_HOME }: Record<string, string>, gitDir: string): string {
  const named = settings.split('\0').findLast((one) => one.startsWith(NAMED));
  if (named === undefined) return path.join(XDG_CONFIG_HOME || path.join(HOME, '.config'), 'git', 'attributes');
  return path.resolve(gitDir, named.slice(NAMED.length).replace(/^~(?=\/)/, HOME));
}

const NAMED = 'core.attributesfile\n';

function findText(file: string): string | null {
  try {
    return fs.statSync(file).isFile() ? fs.readFileSync(file, 'latin1') : null;
  } catch {
    return null; // nearly always: it is not there
  }
}
