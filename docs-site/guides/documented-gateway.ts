/** Describes the gateway that the files in docs/ are written for, as a repository's web page shows them: that of `npm start`. */
import type { DocsSettings } from '../docs-settings.ts'

export const DOCUMENTED_GATEWAY: DocsSettings = {
  mode: 'sandbox',
  demo: true,
  baseUrl: 'http://127.0.0.1:8080',
  authUrl: 'http://127.0.0.1:8080',
  tokenRequestsPerMinute: 60,
  requestsPerSecond: 100,
  sandboxBankUrl: 'http://127.0.0.1:8081',
  sandboxXs2aUrl: 'http://127.0.0.1:8101',
  companyRegistries: { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' },
}
