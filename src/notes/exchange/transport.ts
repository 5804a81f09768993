import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../fault.ts';
import { isPartial } from '../../git/config.ts';
import { askGit, type GitAnswer, type GitPlace, runGit } from '../../git/run.ts';
import type { Peer } from './peer.ts';

/** Whatever the user's settings say, an exchange of notes starts nothing else and touches no other ref. */
const ALONE = ['-c', 'maintenance.auto=false', '-c', 'gc.auto=0', '-c', 'fetch.writeCommitGraph=false'];
// no --depth: a shallow clone stays as deep as it is. no-filter: a partial clone gets notes whole. no-prune: what was fetched once stays
const FETCH =
  'fetch --quiet --no-tags --no-write-fetch-head --no-recurse-submodules --no-prune --no-auto-maintenance --no-filter --refmap=';

/** A ref of the peer, and where it is kept here. */
export interface Mirrored {
  readonly ref: string;
  readonly here: string;
}

/** Brings the peer's notes to its refs here. A peer without notes is no failure. */
export async function fetchRefs(place: GitPlace, peer: Peer, beside?: Mirrored): Promise<void> {
  // a pattern, although it means one ref: git fails where a ref that was named is not there
  const others = beside ? [`+${beside.ref}*:${beside.here}*`] : [];
  const args = [...ALONE, ...FETCH.split(' '), '--', peer.name, `+refs/notes/agent/*:${peer.refs}*`, ...others];
  for (let attempt = 1; ; attempt++) {
    const answer = await askGit(place, args);
    if (answer.code === 0) return;
    // another fetch of this clone was at it just then
    if (attempt === ATTEMPTS || !LOCKED.test(answer.err))
      throw refusal(`The notes of ${safe(peer.name)} could not be fetched`, answer.err);
    await sleep(attempt * (50 + Math.random() * 100));
  }
}

const ATTEMPTS = 6;
const LOCKED = /cannot lock ref|unable to update local ref|incorrect old value/i;

/**
 * A partial clone whose own fetch got the notes' history has not got their contents, and a later fetch finds nothing to do: what is
 * missing is asked for by its ids.
 */
export async function fetchMissing(place: GitPlace, peer: Peer, refs: readonly string[]): Promise<void> {
  if (refs.length === 0 || !(await isPartial(place))) return;
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--no-walk', ...refs];
  const listed = (await runGit(place, args)).toString('latin1').split('\n');
  const missing = listed.filter((line) => line.startsWith('?')).map((line) => line.slice(1));
  if (missing.length === 0) return;
  const all = ['-c', 'fetch.negotiationAlgorithm=noop', ...ALONE, ...FETCH.split(' '), '--stdin', '--', peer.name];
  const answer = await askGit(place, all, `${missing.join('\n')}\n`);
  if (answer.code !== 0) throw refusal(`The notes of ${safe(peer.name)} could not be fetched whole`, answer.err);
}

/** Ids by name of the ref, as the peer has them now. */
export async function listPeer(place: GitPlace, peer: Peer, beside?: Mirrored): Promise<Map<string, string>> {
  const wanted = ['refs/notes/agent/*', ...(beside ? [beside.ref] : [])];
  const answer = await askGit(place, ['ls-remote', '--', peer.name, ...wanted]);
  if (answer.code !== 0) throw refusal(`The notes of ${safe(peer.name)} could not be listed`, answer.err);
  const lines = answer.out.toString('utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
}

/** `moved`: somebody else was faster, so that there is more to unite; with git's words, should it be something else after all. */
export type PushAnswer =
  | { readonly kind: 'pushed' | 'up to date' }
  | { readonly kind: 'moved'; readonly refusal: Fault /** The other ref got there. */; readonly part: boolean };

/** A plain push of these ids, never forced. */
export function pushRefs(place: GitPlace, peer: Peer, ids: ReadonlyMap<string, string>): Promise<PushAnswer> {
  const what = [...ids].map(([ref, id]) => `${id}:${ref}`);
  return push(place, peer, ['--no-force', '--', peer.name, ...what]);
}

/** Puts another history into the place of one ref's, which must still be `from`. */
export function replaceRef(
  place: GitPlace,
  peer: Peer,
  { ref, from, to }: { readonly ref: string; readonly from: string; readonly to: string },
): Promise<PushAnswer> {
  return push(place, peer, [`--force-with-lease=${ref}:${from}`, '--', peer.name, `${to}:${ref}`]);
}

async function push(place: GitPlace, peer: Peer, more: readonly string[]): Promise<PushAnswer> {
  // our own hook has nothing to do here, nor has a mirror's setting
  const quiet = { ...place, env: { ...place.env, AGENT_PUSH: 'off' } };
  const mirror = peer.passing ? [] : ['-c', `remote.${peer.name}.mirror=false`];
  const how = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'];
  return judgePush(peer, await askGit(quiet, [...ALONE, ...mirror, ...how, ...more]));
}

/** Reasons that git gives when a ref is not where it was, or is being moved. */
const MOVED =
  /fetch first|non-fast-forward|needs force|stale info|reference already exists|cannot lock ref|failed to (?:lock|update ref)|incorrect old value/i;

/** `FLAG TAB FROM:TO TAB SUMMARY (REASON)` for each ref; without such lines there was no connection. */
export function judgePush(peer: Peer, { code, out, err }: GitAnswer): PushAnswer {
  const lines = out
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  const refs = lines.filter((fields) => fields.length === 3);
  const rejected = refs.filter(([flag]) => flag === '!');
  const final = rejected.find(([, , summary = '']) => !MOVED.test(summary));
  const [, names = '', summary = ''] = final ?? rejected[0] ?? [];
  if (summary !== '') {
    const ref = names.slice(names.indexOf(':') + 1);
    const no = refusal(
      `${safe(peer.name)} does not take ${ref}`,
      [summary.replace(/^\[(?:remote )?rejected\]\s*/, ''), remoteWords(err)].filter(Boolean).join('; '),
    );
    if (final) throw no;
    return { kind: 'moved', refusal: no, part: refs.some(([flag]) => flag !== '!' && flag !== '=') };
  }
  if (code !== 0 || refs.length === 0) throw refusal(`The notes could not be pushed to ${safe(peer.name)}`, err);
  return { kind: refs.every(([flag]) => flag === '=') ? 'up to date' : 'pushed' };
}

function remoteWords(err: string): string {
  const lines = err.split('\n').filter((line) => line.startsWith('remote:'));
  return lines
    .map((line) => line.slice('remote:'.length).trim())
    .filter(Boolean)
    .join(' ');
}

/** There was no answer at all. */
const UNREACHED = /could not read from remote|does not appear to be|unable to access|not found|no such remote/i;

/** One sentence with git's own words, cut to a length that a person reads. */
function refusal(what: string, said: string): Fault {
  const lines = said
    .split('\n')
    .filter((line) => !/^(?:hint:|To |Please make sure|and the repository exists|\s*$)/.test(line));
  const words = lines.map((line) => line.replace(/^(?:fatal|error|ERROR|remote): /, '')).join(' ');
  const advice = UNREACHED.test(words) ? '; git remote -v shows where a remote leads, git ls-remote tries it' : '';
  return new Fault('refused', `${what}: ${safe(words).slice(0, 400) || 'git did not say why'}${advice}`, { said });
}

/** Without the password that an address may carry, and without what a terminal would obey. */
export function safe(text: string): string {
  return text
    .replace(/\/\/[^/@\s]+@/g, '//')
    .replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
}
