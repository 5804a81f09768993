// How much of recorded transcripts is understood, by agent and version: node bench/samples/run.mjs [FOLDER]
import { runBundled } from '../bundle.mjs';

await runBundled('bench/samples/main.ts');
