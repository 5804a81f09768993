import { rehearse } from './cast.ts';

// which provider the model is of stands in its configuration only
rehearse({ rehearsed: 'continue', name: 'continue', model: null, hooks: false, late: true });
