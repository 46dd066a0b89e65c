/** What a domestic order is judged by besides itself, and what a rule finds. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Clock } from '../../platform/clock.ts'

export type Situation = {
  readonly bank: Bank
  /** The present day and time at the bank. */
  readonly localNow: Temporal.PlainDateTime
  /** Of the company that the consent is for. */
  readonly organisationNumber: string
}

/** A code with its reason, or nothing. `path` is where it is, when that is deeper than what the rule is about. */
export type Finding = { readonly code: ValidationCode; readonly reason: string; readonly path?: string } | undefined

/** The situation of an order that comes now. */
export function situationAt(
  clock: Pick<Clock, 'now'>,
  bank: Bank,
  { organisationNumber }: { readonly organisationNumber: string },
): Situation {
  const localNow = clock.now().toZonedDateTimeISO(bank.profile.timeZone).toPlainDateTime()
  return { bank, localNow, organisationNumber }
}
