/** What a partner is: software that acts for companies, and the credentials it shows. */
import type { PartnerIdentity } from '../platform/http/operations/served-operation.ts'

/** A partner as its token names it. */
export type PartnerCaller = PartnerIdentity & {
  readonly partnerName: string
  /** Origins and schemes that callback URLs may have; the sandbox takes others, too. */
  readonly callbackOrigins: readonly string[]
}

/** A partner as the operator sees it. */
export type Partner = {
  readonly id: string
  readonly name: string
  readonly payrollBulk: boolean
  readonly aisRegistration: boolean
  readonly callbackOrigins: readonly string[]
  readonly createdAt: Temporal.Instant
  readonly disabledAt: Temporal.Instant | null
}

/** A set of credentials of a partner; the secret itself is shown once, when it is made. */
export type Client = {
  readonly clientId: string
  readonly partnerId: string
  /** Whether it may order and read payrolls. */
  readonly payroll: boolean
  readonly createdAt: Temporal.Instant
  readonly disabledAt: Temporal.Instant | null
}
