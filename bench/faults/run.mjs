// What happens when things break: rounds of work with one fault each, and what is left afterwards. Needs npm run build.
// node bench/faults/run.mjs [--rounds N] [--seed N] [--from ROUND] [--kind NAME] [--program FILE]
import { runBundled } from '../bundle.mjs';

await runBundled('bench/faults/main.ts');
