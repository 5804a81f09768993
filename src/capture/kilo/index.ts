import { memberAdapter } from '../opencode-family/family.ts';

export const kilo = memberAdapter({
  name: 'kilo',
  database: 'KILO_DB',
  // opencode does so in any case
  remark: 'where it finds a plug-in it installs its own package @kilocode/plugin from npm into its folder of settings',
});
