import type { Repository } from '../git/repository.ts';
import { short } from '../mcp/text.ts';
import type { Arguments, Told } from '../mcp/tool.ts';
import { reportJson } from '../report/json.ts';
import { DIMENSIONS, type Report, reportOf } from '../report/report.ts';
import { printReportText } from '../report/text.ts';
import { paintWith } from '../terminal/colour.ts';
import type { World } from './command.ts';
import { commitOf } from './standing.ts';
import { surveyFor } from './surveyed.ts';

/** Of every list. */
const MOST = 15;

export async function reportTold(world: World, repository: Repository, said: Arguments): Promise<Told> {
  const range = said.range === undefined ? undefined : String(said.range);
  const wish = said.standing === true ? { commit: await commitOf(repository.place, range ?? 'HEAD') } : { range };
  const report = reportOf(await surveyFor(world, repository, wish));
  const text = [...printReportText(report, { paint: paintWith(false), columns: 60 })].join('');
  return { text: short(text), structured: dataOf(report) };
}

/** The document of `git agent report --format json` without its runs: files are told by path, lists by their beginning. */
function dataOf(report: Report): Told['structured'] {
  const groups = DIMENSIONS.map((one) => [one, report.by[one].slice(0, MOST)] as const);
  const brief: Report = {
    ...report,
    by: Object.fromEntries(groups) as unknown as Report['by'],
    files: [],
    reasons: report.reasons.slice(0, MOST),
    unrecorded: report.unrecorded.slice(0, MOST),
    excluded: report.excluded.slice(0, MOST),
  };
  const leftOut = {
    files: report.files.length,
    ...Object.fromEntries(DIMENSIONS.map((one) => [one, Math.max(0, report.by[one].length - MOST)])),
    unrecorded: report.unrecorded.length - brief.unrecorded.length,
    excluded: report.excluded.length - brief.excluded.length,
  };
  return { ...JSON.parse([...reportJson(brief)].join('')), leftOut };
}
