import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first: vitest knows of that only where it has run before, and one that starts late is waited for
 * while other cores have nothing to do. The rest goes by the project, so that files which share a process follow each other.
 */
const LONG = [
  'agents/opencode',
  'agents/claude-code-hooks',
  'agents/gemini-cli',
  'agents/codex',
  'jj/operations',
  'stress/faults/first',
  'stress/faults/second',
  'stress/faults/third',
  'stress/faults/fourth',
  'cli/blame-stream',
  'stress/kill',
  'truth/random-unique',
  'truth/random-repeated',
  'editors/vim',
  'bench/small',
  'stress/crowd',
  'serve/browser',
  'page/browser',
];
const PROJECTS = ['alone', 'world', 'short', 'pure'];
const TESTS = path.join(import.meta.dirname, '..');

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

function place({ moduleId, project }: TestSpecification): number {
  const long = LONG.indexOf(path.relative(TESTS, moduleId).replace(/\.test\.ts$/, ''));
  return long < 0 ? LONG.length + PROJECTS.indexOf(project.name) : long;
}
