/** Defines the context, the rules and the result of the validation of an order. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'

export type ValidationContext = {
  readonly bank: Bank
  /** The current local date and time at the bank. */
  readonly localNow: Temporal.PlainDateTime
  /** The number of the company that gave the consent. */
  readonly organisationNumber: string
}

/** Fields of a domestic payment as the partner ordered it. */
export type Ordered<Field extends keyof DomesticPayment> = { readonly ordered: Pick<DomesticPayment, Field> }

/** An error code with its reason, or undefined when valid. `path` is set when the error is in a field below. */
export type RuleResult = { readonly code: ValidationCode; readonly reason: string; readonly path?: string } | undefined

/** The rules on one kind of order, each with the path of the field that it is about. */
export type Rules<Parts, Validation> = readonly (readonly [
  path: string,
  rule: (parts: Parts, validation: Validation) => RuleResult,
])[]

/** Returns the errors of all rules on fields with the right shape; no rule reads the others. */
export function ruleErrorsOf<Parts, Validation>(
  rules: Rules<Parts, Validation>,
  parts: Parts,
  validation: Validation,
  isSound: (path: string) => boolean,
): readonly ValidationError[] {
  return rules.flatMap(([path, rule]) => {
    const result = isSound(path) ? rule(parts, validation) : undefined
    return result === undefined ? [] : [{ path, ...result }]
  })
}

/** Returns the validation context of an order that is received now. */
export function validationContextAt(
  clock: Pick<Clock, 'now'>,
  bank: Bank,
  { organisationNumber }: { readonly organisationNumber: string },
): ValidationContext {
  const localNow = clock.now().toZonedDateTimeISO(bank.profile.timeZone).toPlainDateTime()
  return { bank, localNow, organisationNumber }
}
