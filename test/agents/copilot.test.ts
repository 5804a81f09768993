import { rehearse } from './cast.ts';

// with a key of the user's own, as here, the record does not say whose model it is
const copilot = { rehearsed: 'copilot', name: 'copilot', model: null, hooks: true };
rehearse(copilot);
// models of this name are given apply_patch for their edits
rehearse({ ...copilot, scriptModel: 'gpt-5.5' });
