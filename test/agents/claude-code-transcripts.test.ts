import { rehearseClaudeCode } from './claude-code.ts';

rehearseClaudeCode('transcripts');
