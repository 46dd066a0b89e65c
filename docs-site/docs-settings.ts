/** The settings of the gateway that its documentation shows. */
import type { Config } from '../gateway/config/config.ts'

export type DocsSettings = Pick<
  Config,
  | 'mode'
  | 'demo'
  | 'baseUrl'
  | 'authUrl'
  | 'tokenRequestsPerMinute'
  | 'requestsPerSecond'
  | 'sandboxBankUrl'
  | 'sandboxXs2aUrl'
  | 'sandboxFxUrl'
  | 'sandboxIdentityControlUrl'
  | 'companyRegistries'
>

export const DOCUMENTED_GATEWAY: DocsSettings = {
  mode: 'sandbox',
  demo: true,
  baseUrl: 'http://127.0.0.1:8080',
  authUrl: 'http://127.0.0.1:8080',
  tokenRequestsPerMinute: 60,
  requestsPerSecond: 100,
  sandboxBankUrl: 'http://127.0.0.1:8081',
  sandboxXs2aUrl: 'http://127.0.0.1:8101',
  sandboxFxUrl: 'http://127.0.0.1:8095',
  sandboxIdentityControlUrl: 'http://127.0.0.1:8094',
  companyRegistries: { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' },
}
