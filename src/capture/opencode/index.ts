import { memberAdapter } from '../opencode-family/family.ts';

export const opencode = memberAdapter({ name: 'opencode', database: 'OPENCODE_DB' });
