/** Tests the sandbox's identity provider as a separate program. */

import { IDENTITY_PROVIDER_SETTINGS } from '../settings.ts'
import { programGuarantees } from '../testing/program-guarantees.ts'

programGuarantees({
  main: new URL('./main.ts', import.meta.url),
  table: IDENTITY_PROVIDER_SETTINGS,
  pages: 'url',
  settings: () => ({ HAVN_SANDBOX_IDENTITY_PORT: '0', HAVN_SANDBOX_IDENTITY_CONTROL_PORT: '0' }),
  wrong: [['HAVN_SANDBOX_IDENTITY_PORT', '80000']],
  endsWith: 'its parent',
})
