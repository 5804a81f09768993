// Writes fixtures/store/FORM: what this program stores today, for all that come after it to read.
// node bench/store/run.mjs FOLDER
import { runBundled } from '../bundle.mjs';

await runBundled('bench/store/main.ts');
