import { build } from '../cli/program.ts';
import { removeFolder } from './remove.ts';

/** The programs are built once for all test files; their processes inherit where. */
export async function setup(): Promise<() => void> {
  const dir = await build();
  process.env.TEST_PROGRAMS = dir;
  return () => removeFolder(dir);
}
