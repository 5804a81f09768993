import { rehearse } from './cast.ts';

// it goes on with a conversation in a terminal only
rehearse({ rehearsed: 'cline', name: 'cline', model: null, hooks: true, noResume: true });
