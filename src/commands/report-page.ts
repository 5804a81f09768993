import { type Repository, repositoryName } from '../git/repository.ts';
import { printPage } from '../page/page.ts';
import type { Report } from '../report/report.ts';
import type { Survey } from '../report/run.ts';
import type { World } from './command.ts';

export interface PageQuestion {
  readonly world: World;
  readonly report: Report;
  readonly survey: Survey;
  readonly repository: Repository;
}

/** The report as one page that needs nothing but itself. */
export function pageOf({ world, report, survey, repository }: PageQuestion): string[] {
  const name = repositoryName(repository);
  const { version } = world;
  return [
    printPage(report, { repository: name, made: Math.floor(world.now() / 1000), commits: survey.commits, version }),
  ];
}
