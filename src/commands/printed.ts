import type { Repository } from '../git/repository.ts';
import type { Dimension, Report } from '../report/report.ts';
import type { Survey } from '../report/run.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import type { World } from './command.ts';
import { readSettings } from './settings.ts';

export const FORMATS = ['text', 'json', 'markdown', 'html', 'sarif'] as const;
export type Format = (typeof FORMATS)[number];

export interface Printing {
  readonly world: World;
  readonly report: Report;
  readonly survey: Survey;
  readonly repository: Repository;
  readonly by?: readonly Dimension[];
}

/** The report in one of its forms, in pieces. */
export async function printedAs(
  format: Format,
  { world, report, survey, repository, by }: Printing,
): Promise<Iterable<string>> {
  switch (format) {
    case 'json':
      return (await import('../report/json.ts')).reportJson(report);
    case 'markdown':
      return [(await import('../report/markdown.ts')).printReportMarkdown(report)];
    case 'sarif':
      return (await import('../report/sarif.ts')).reportSarif(report, { version: world.version });
    case 'html':
      return (await import('./report-page.ts')).pageOf({ world, report, survey, repository });
    case 'text': {
      const { printReportText } = await import('../report/text.ts');
      const configured = (await readSettings(world.cwd, '^color\\.ui$')).get('color.ui');
      const paint = paintWith(wantsColour({ asked: undefined, configured, isTTY: world.out.isTTY, env: world.env }));
      return printReportText(report, { paint, columns: world.out.columns ?? 80, ...(by && { by }) });
    }
  }
}
