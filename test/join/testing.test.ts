import { expect, test } from 'vitest';
import { onlyTests } from '../../src/join/testing.ts';

test.each([
  ['npm test', true],
  ['npm run test:unit -- --reporter=dot', true],
  ['cd lib && npx vitest run 2>&1 | tail -20', true],
  ['CI=1 pytest -q', true],
  ['python3 -m unittest', true],
  ['cargo clippy --all', true],
  ['go vet ./...', true],
  ['npx tsc --noEmit && echo done', true],
  ['npx tsc', false],
  ['npx vitest run -u', false],
  ['pytest --snapshot-update', false],
  ['cargo clippy --fix', false],
  ['npm run build', false],
  ['npm test && ./generate.sh', false],
  ['node --test && node make.mjs', false],
  ['constructor test', false],
  ['npx vitest run src/a.ts', true],
  ['pytest -x src/a.ts', true],
  ['pytest > src/a.ts', false],
  ['npx vitest run --outputFile=src/a.ts', false],
  ['npx vitest run --outputFile src/a.ts', false],
  ['npx eslint src/a.ts', true],
  ['npx eslint --fix src/a.ts', false],
  ['npx prettier --check src/a.ts', true],
  ['npx prettier -w src/a.ts', false],
  ['npx prettier other.ts > src/a.ts', false],
  ['npx biome check --apply-unsafe src/a.ts', false],
  ['black src/a.ts', false],
  ['npm install', true],
  ['cd lib && npm ci 2>&1 | tail -3 && npm test', true],
  ['python3 -m pip install -r requirements.txt', true],
  ['npm install && npm run build', false],
  ['npm install && node make.mjs', false],
  ['npm init -y', false],
  ['pip download x', false],
])('%s: %s', (command, expected) => expect(onlyTests(command, 'src/a.ts')).toBe(expected));

test.each([
  'package.json',
  'lib/package-lock.json',
  'pnpm-lock.yaml',
  'Cargo.toml',
  'vendor/a.go',
  'src/generated/a.ts',
])('%s is a file that installers write', (path) => expect(onlyTests('npm install', path)).toBe(false));

test.each(['src/__snapshots__/a.test.ts.snap', 'coverage/lcov.info', 'Cargo.lock', 'go.sum', 'junit.xml'])(
  '%s is a file that tests write',
  (path) => expect(onlyTests('npm test', path)).toBe(false),
);
