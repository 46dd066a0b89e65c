/** Defines partners, software that acts for companies, and their credentials. */
import type { PartnerIdentity } from '../platform/http/operations/served-operation.ts'

/** A partner as identified by its token. */
export type PartnerCaller = PartnerIdentity & {
  readonly partnerName: string
  /** Allowed origins and schemes of callback URLs; the sandbox also accepts others. */
  readonly callbackOrigins: readonly string[]
}

/** A partner for operators. */
export type Partner = {
  readonly id: string
  readonly name: string
  readonly payrollBulk: boolean
  readonly aisRegistration: boolean
  readonly callbackOrigins: readonly string[]
  readonly createdAt: Temporal.Instant
  readonly disabledAt: Temporal.Instant | null
}

/** A set of credentials; the secret is returned once, when it is created. */
export type Client = {
  readonly clientId: string
  readonly partnerId: string
  /** Whether it may order and read payrolls. */
  readonly payroll: boolean
  readonly createdAt: Temporal.Instant
  readonly disabledAt: Temporal.Instant | null
}
