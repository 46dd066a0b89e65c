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
  | 'companyRegistries'
>
