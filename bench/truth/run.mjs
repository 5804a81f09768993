// How true blame is: scripted histories whose every line has a known author, played through git's operations.
// node bench/truth/run.mjs [--op NAME] [--lines unique|repeated] [--seeds N] [--from SEED] [--json]
import { runBundled } from '../bundle.mjs';

await runBundled('bench/truth/main.ts');
