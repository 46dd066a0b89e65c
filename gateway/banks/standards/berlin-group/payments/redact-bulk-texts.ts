/** Redacts names and amounts from texts about a payroll, because texts are logged and passed on. */
import { allCountryRules } from '../../../../countries/served-countries.ts'
import { BankError, type OrderError, UnusableOrderIdError } from '../../../connector/bank-error.ts'
import type { StatusObservation } from '../../../connector/order-at-bank.ts'

/** Replaces an amount. */
const REDACTED = '…'
const CURRENCIES = allCountryRules.map(({ currency }) => currency).join('|')
const NUMBER = String.raw`\d[\d .,'\u00a0\u202f]*`
/** Two decimals, or a number next to a currency: amounts in banks' texts. */
const AMOUNT = new RegExp(
  String.raw`${NUMBER}[.,]\d{2}(?!\d)|${NUMBER}(?:${CURRENCIES}|kr\b)|(?:${CURRENCIES}|\bkr)[ \u00a0]?\d[\d.,]*`,
  'gi',
)

/** Replacements for the bank's texts, which may quote the rejected value. */
const textByCause: Readonly<Record<OrderError['cause'], string>> = {
  'too-long': 'it is longer than the bank takes',
  characters: 'it has characters that the bank does not take',
  invalid: 'it is not as the bank wants it',
}

/** The observation without amounts. Account numbers and national ids are already redacted. */
export function redactAmounts<Observation extends StatusObservation>(observation: Observation): Observation {
  const { statusReasonText: text } = observation
  return text === null ? observation : { ...observation, statusReasonText: text.replace(AMOUNT, REDACTED) }
}

/** The error of a bulk with our own texts for errors of single payments. */
export function redactBulkError(error: BankError): BankError {
  if (error instanceof UnusableOrderIdError) {
    return error
  }
  const { kind, message, validationErrors, cause, laterCalls } = error
  const isOfPayments = validationErrors.some(({ position }) => position !== undefined)
  if (!isOfPayments) {
    return new BankError(kind, message.replace(AMOUNT, REDACTED), validationErrors.map(redactOrderError), cause).saying(
      laterCalls,
    )
  }
  const positions = new Set(validationErrors.map(({ position }) => position))
  const text = `The bank rejects the bulk because of ${positions.size === 1 ? 'a payment' : `${positions.size} payments`} in it`
  return new BankError(kind, text, validationErrors.map(redactOrderError), cause).saying(laterCalls)
}

function redactOrderError(validationError: OrderError): OrderError {
  return validationError.position === undefined
    ? { ...validationError, text: validationError.text.replace(AMOUNT, REDACTED) }
    : { ...validationError, text: textByCause[validationError.cause] }
}
