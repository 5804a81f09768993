import fs from 'node:fs';
import path from 'node:path';
import type { Strike } from '../scene.ts';

const TrueDate = Date;

/** The clock of this process, of the shims and of git shows what `now` gives, until it is lifted. */
const wrongClock =
  (now: (start: number) => number): Strike =>
  ({ shop }) => {
    const at = () => now(start);
    const start = TrueDate.now();
    const bin = path.join(shop.home, 'bin');
    fs.mkdirSync(bin, { recursive: true });
    // shims ask for seconds, for milliseconds and for words
    const script = `#!/bin/sh\ncase $* in +%s%3N) echo ${at()} ;; +%s) echo ${Math.floor(at() / 1000)} ;; *) exec /bin/date -d @${Math.floor(at() / 1000)} "$@" ;; esac\n`;
    fs.writeFileSync(path.join(bin, 'date'), script, { mode: 0o755 });
    const { PATH, GIT_COMMITTER_DATE, GIT_AUTHOR_DATE } = process.env;
    const before = { PATH, GIT_COMMITTER_DATE, GIT_AUTHOR_DATE };
    const seconds = `@${Math.floor(at() / 1000)} +0000`;
    Object.assign(process.env, { PATH: `${bin}:${PATH}`, GIT_COMMITTER_DATE: seconds, GIT_AUTHOR_DATE: seconds });
    globalThis.Date = class extends TrueDate {
      constructor(...args: ConstructorParameters<typeof TrueDate> | []) {
        super(...((args.length === 0 ? [at()] : args) as [number]));
      }
      static override now(): number {
        return at();
      }
    } as DateConstructor;
    return {
      lift() {
        globalThis.Date = TrueDate;
        for (const [name, value] of Object.entries(before)) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      },
    };
  };

export const frozenClock = wrongClock((start) => start);
export const clockBack = wrongClock((start) => start - 3_600_000);
