import { rehearse } from './cast.ts';

rehearse({ rehearsed: 'gemini', name: 'gemini-cli', model: 'google/gemini-3-pro', hooks: true });
