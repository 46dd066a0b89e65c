/** Tests the sandbox's identity provider as a separate program. */
import { programGuarantees } from '../testing/program-guarantees.ts'
import { readConfig } from './config.ts'

programGuarantees({
  main: new URL('./main.ts', import.meta.url),
  readConfig,
  pages: 'url',
  settings: () => ({ HAVN_SANDBOX_IDENTITY_PORT: '0', HAVN_SANDBOX_IDENTITY_CONTROL_PORT: '0' }),
  wrong: [['HAVN_SANDBOX_IDENTITY_PORT', '80000']],
})
