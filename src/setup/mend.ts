import path from 'node:path';
import type { Repository } from '../git/repository.ts';
import { carryOut } from './carry-out.ts';
import { printChanges } from './change.ts';
import { planMend } from './plan.ts';
import { readInstalled } from './survey.ts';
import { surveyHooks } from './survey-hooks.ts';

/** For the background work: our lines in generated hook files and our links, put back. Tells what was done. */
export async function mendHooks(repository: Repository): Promise<readonly string[]> {
  const agentDir = path.join(repository.commonDir, 'agent');
  const installed = readInstalled(agentDir);
  if (installed.chain === null && !installed.files.some((file) => file.ours === 'block')) return [];
  const plan = planMend(await surveyHooks(repository, { project: false, record: installed.chain }), installed);
  await carryOut(plan, { commonDir: repository.commonDir, agentDir, userDir: '' }, repository.place);
  return printChanges(plan.changes);
}
