/** Defines partners, software that acts for companies, and their credentials. */

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

/** A set of credentials; a secret is returned once, when it is created. */
export type Client = {
  readonly clientId: string
  readonly partnerId: string
  /** Whether it may order and read payrolls. */
  readonly payroll: boolean
  readonly createdAt: Temporal.Instant
  readonly disabledAt: Temporal.Instant | null
  /** When its current secret replaced another one. */
  readonly secretRotatedAt: Temporal.Instant | null
  /** Until when the replaced secret is valid, by wall time. */
  readonly formerSecretEndsAt: Temporal.Instant | null
}

/** A secret of a client as it is stored. Secrets are numbered, so that a token names the one that it was issued for. */
export type ClientCredential = {
  readonly hash: string
  readonly number: number
  readonly endsAt: Temporal.Instant | null
}

/** How long a former secret stays valid after another one has replaced it. */
export const OVERLAP_DAYS_DEFAULT = 7
export const OVERLAP_DAYS_MAX = 30
