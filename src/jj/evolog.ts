import { askJj, type JjPlace } from './run.ts';

/** One version of a change: a commit, and the commits that it was made of. */
export interface Version {
  readonly commit: string;
  readonly predecessors: readonly string[];
  readonly parents: readonly string[];
  /** It changes nothing. */
  readonly empty: boolean;
  /** Rewritten or abandoned since. */
  readonly hidden: boolean;
  readonly conflicted: boolean;
  /** Some workspace's `@`: its id changes whenever the work tree is looked at. */
  readonly workingCopy: boolean;
  /** What made it; absent: it came from outside. */
  readonly made?: Operation;
}

export interface Operation {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The name of the workspace that it was started in. */
  readonly workspace: string;
  readonly description: string;
}

// one line for each version; `predecessors` came with 0.37
const TEMPLATE = [
  'commit.commit_id()',
  'predecessors.map(|one| one.commit_id()).join(",")',
  'commit.parents().map(|one| one.commit_id()).join(",")',
  'if(commit.empty(), "e") ++ if(commit.hidden(), "h") ++ if(commit.conflict(), "c")',
  'if(commit.contained_in("working_copies()"), "w")',
  'if(operation, operation.time().end().format("%s%3f"))',
  'if(operation, operation.workspace_name())',
  'if(operation, operation.description().first_line())',
].join(' ++ " " ++ ');

export function evologArguments(revisions: string): string[] {
  return ['evolog', '--no-graph', '-r', revisions, '-T', `${TEMPLATE} ++ "\\n"`];
}

const VERSION = /^([0-9a-f]{40,64}) ([0-9a-f,]*) ([0-9a-f,]*) ([ehc]*) (w?) (\d*) (\S*) (.*)$/;

function splitIds(text: string): string[] {
  return text.split(',').filter((id) => /^[0-9a-f]{40,64}$/.test(id));
}

/** Lines that are no version are skipped. */
export function parseEvolog(out: string): Version[] {
  return out.split('\n').flatMap((line): Version[] => {
    const [, commit, before = '', parents = '', flags = '', copy, time, workspace = '', description = ''] =
      VERSION.exec(line) ?? [];
    if (commit === undefined) return [];
    return [
      {
        commit,
        predecessors: splitIds(before),
        parents: splitIds(parents),
        empty: flags.includes('e'),
        hidden: flags.includes('h'),
        conflicted: flags.includes('c'),
        workingCopy: copy === 'w',
        ...(time && { made: { at: Number(time), workspace: workspace.replace(/@$/, ''), description } }),
      },
    ];
  });
}

/** So many commits that are new are looked at in one go. */
const LIMIT = 2000;

/**
 * The versions behind every workspace's `@`, and behind commits that are visible now and were not, or were somebody's `@`, at an earlier
 * operation. Without one: behind the youngest commits.
 */
export function newRevisions(earlier: string | undefined): string {
  const visible = '::visible_heads() ~ root()';
  const seen = earlier === undefined ? '' : ` ~ at_operation(${earlier}, ::visible_heads() ~ working_copies())`;
  return `latest(${visible}${seen}, ${LIMIT}) | working_copies()`;
}

export async function readEvolog(place: JjPlace, revisions: string): Promise<Version[] | undefined> {
  const out = await askJj(place, evologArguments(revisions));
  return out === undefined ? undefined : parseEvolog(out);
}
