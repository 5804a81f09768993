import { rehearse } from './cast.ts';

// its provider is one of ours: no model that models.dev knows
rehearse({ rehearsed: 'pi', name: 'pi', model: null, hooks: true });
