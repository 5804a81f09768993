import { rehearse } from './cast.ts';

// a model of the user's own: nobody can tell what it is
rehearse({ rehearsed: 'droid', name: 'droid', model: null, hooks: true });
