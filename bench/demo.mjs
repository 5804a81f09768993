// npm run demo: the tour of the built program, without stops. The story itself is in src/tour.
import { spawnSync } from 'node:child_process';
import { PROGRAM } from './place.mjs';

const { status } = spawnSync(process.execPath, [PROGRAM, 'tour', '--fast'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
