import { memberAdapter } from '../opencode-family/family.ts';

export const kilo = memberAdapter({ name: 'kilo', database: 'KILO_DB', package: '@kilocode/plugin' });
