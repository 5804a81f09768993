import { rehearse } from './cast.ts';

// its transcripts name a model, not the service that it is one of
rehearse({ rehearsed: 'qwen', name: 'qwen-code', model: null, hooks: true });
