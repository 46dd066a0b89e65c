/** Defines the context and the result of the validation of a domestic order. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { Clock } from '../../platform/clock.ts'

export type ValidationContext = {
  readonly bank: Bank
  /** The current local date and time at the bank. */
  readonly localNow: Temporal.PlainDateTime
  /** The number of the company that gave the consent. */
  readonly organisationNumber: string
}

/** An error code with its reason, or undefined when valid. `path` is set when the error is in a field below. */
export type RuleResult = { readonly code: ValidationCode; readonly reason: string; readonly path?: string } | undefined

/** Returns the validation context of an order that is received now. */
export function validationContextAt(
  clock: Pick<Clock, 'now'>,
  bank: Bank,
  { organisationNumber }: { readonly organisationNumber: string },
): ValidationContext {
  const localNow = clock.now().toZonedDateTimeISO(bank.profile.timeZone).toPlainDateTime()
  return { bank, localNow, organisationNumber }
}
