import { rehearse } from './cast.ts';

// its provider is one of ours: no model that models.dev knows
rehearse({ rehearsed: 'kilo', name: 'kilo', model: null, hooks: true });
