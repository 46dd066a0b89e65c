/** The state that the parts of the provider share. */
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../gateway/platform/clock.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { ClosablePort } from '../closable-port.ts'
import type { Faults } from './faults.ts'
import type { Grants } from './grants.ts'
import type { SigningKeys } from './signing-keys.ts'

export type ProviderState = {
  /** The base URL of the issuers. */
  readonly url: string
  readonly log: Log
  readonly clock: Pick<Clock, 'real'>
  readonly keys: SigningKeys
  readonly faults: Faults
  /** The port of all but the control API. */
  readonly port: ClosablePort
  readonly grants: Grants
  /** The only client; `publicKey` once it authenticates by a key (RFC 7523) instead of the secret. */
  readonly client: { readonly id: string; readonly secret: string; publicKey: KeyObject | null }
}
