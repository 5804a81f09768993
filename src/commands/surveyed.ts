import { mapContacts } from '../git/mailmap.ts';
import type { Repository } from '../git/repository.ts';
import type { ReportedCommit, Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { listCommits, listHistory } from './range.ts';
import { surveyStanding } from './standing.ts';
import { surveyRange } from './survey.ts';
import { excluderOf, readPolicy } from './team-policy.ts';

/** The lines that stand at a commit, or those that the commits of a range added; all that HEAD reaches where none is named. */
export type SurveyWish = { readonly commit: string } | { readonly range: string | undefined };

export interface Progress {
  onProgress?(done: number, of: number): void;
}

/** What a report is made of. A policy that cannot be read leaves nothing out. People are called as `.mailmap` has it, as by blame. */
export async function surveyFor(world: World, repository: Repository, wish: SurveyWish & Progress): Promise<Survey> {
  const survey = await readSurvey(world, repository, wish);
  const own = repository.worktree ? { ...repository.place, cwd: repository.worktree } : repository.place;
  const contactOf = ({ author: name, mail }: ReportedCommit) => ({ name, mail });
  const mapped = await mapContacts(own, [...survey.commits.values()].map(contactOf));
  const renamed = [...survey.commits].map(([id, one]) => {
    const { name: author, mail } = mapped(contactOf(one));
    return [id, { ...one, author, mail }] as const;
  });
  return { ...survey, commits: new Map(renamed) };
}

async function readSurvey(world: World, repository: Repository, wish: SurveyWish & Progress): Promise<Survey> {
  const { policy } = await readPolicy(repository);
  const progress = wish.onProgress ? { onProgress: wish.onProgress } : {};
  if ('commit' in wish) {
    const { commit: revision } = wish;
    return surveyStanding(world, { revision, excluder: excluderOf(policy, revision), ...progress });
  }
  const { range } = wish;
  const commits = range === undefined ? await listHistory(world.cwd, 'HEAD') : await listCommits(world.cwd, range);
  const excluder = excluderOf(policy, commits.at(-1) ?? 'HEAD');
  return surveyRange(world, repository, { range: range ?? 'HEAD', commits, excluder, ...progress });
}
