/** Defines the partner that calls an operation. */
import type { PartnerIdentity } from '../platform/http/operations/served-operation.ts'

/** A partner as identified by its token. */
export type PartnerCaller = PartnerIdentity & {
  readonly partnerName: string
  /** Allowed origins and schemes of callback URLs; the sandbox also accepts others. */
  readonly callbackOrigins: readonly string[]
}
