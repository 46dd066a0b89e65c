/** Lists the warnings about a valid domestic payment, which is submitted nevertheless. */
import type { DomesticPayment, DomesticRail } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { addressTexts, sendableAddress } from '../../banks/connector/bank-order.ts'
import { calendarOf, cutOffFor, nextBankDay } from '../../countries/bank-days.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import type { ValidDomesticPayment } from './domestic-payment-parts.ts'
import { domesticExecutionDay } from './execution-day.ts'
import type { ValidationContext } from './validation-context.ts'

/** Of a payment that equals an earlier one. */
export const DUPLICATE = {
  code: 'PossibleDuplicate',
  reason: 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours',
  path: '.metadata.endToEndId',
} as const satisfies PaymentWarning

/** In the order of the fields in the API. */
export function domesticPaymentWarnings(
  parts: ValidDomesticPayment,
  validation: ValidationContext,
): readonly PaymentWarning[] {
  const { creditor, ordered, reference } = parts
  const warnings: PaymentWarning[] = []
  // Some genuine numbers look invalid: old accounts fail the check digit, new banks are missing from the table.
  if (creditor.warning !== undefined) {
    const reason = `The account number ${creditor.warning}`
    warnings.push({ code: 'AccountNumberUnverified', reason, path: '.to.account.bban' })
  }
  const found = [addressWarning(ordered, validation), dueDateWarning(parts, validation)]
  warnings.push(...found.filter((warning) => warning !== undefined))
  if (reference?.ok === true && reference.warning !== undefined) {
    const reason = `The reference ${reference.warning}`
    warnings.push({ code: 'ReferenceUnverified', reason, path: '.remittanceInformation' })
  }
  return [...warnings, ...notCarriedWarnings(ordered, validation)]
}

/** An address that the bank would reject is left out. */
function addressWarning({ to }: DomesticPayment, { bank }: ValidationContext): PaymentWarning | undefined {
  const { address } = to.contactInformation
  const isGiven = address !== undefined && (addressTexts(address).length > 0 || address.country !== undefined)
  return isGiven && bank.supports.creditorAddress && sendableAddress(address) === undefined
    ? {
        code: 'NotCarriedByBank',
        reason: 'The address is not sent to the bank, which requires city and country',
        path: '.to.contactInformation.address',
      }
    : undefined
}

function dueDateWarning(
  parts: ValidDomesticPayment,
  { bank, localNow }: ValidationContext,
): PaymentWarning | undefined {
  const { dueDate, rail } = parts
  const { day, moved } = domesticExecutionDay(parts, dueDate, bank, localNow)
  if (moved === 'no') {
    return undefined
  }
  const reason =
    moved === 'closed'
      ? `is not a bank day; ${bank.name} executes the payment on ${day}`
      : `${cutOffText(dueDate, rail, bank)}; signed now, ${bank.name} executes the payment on ${day}`
  return withSubject({ code: 'DueDateMoved' as const, reason, path: '.dueDate', expectedExecutionDate: day.toString() })
}

/** Warns of fields that the bank's payments cannot carry. */
function notCarriedWarnings(
  { remittanceInformation: remittance, purposeCode }: DomesticPayment,
  { bank }: ValidationContext,
): readonly PaymentWarning[] {
  const supportedFields = bank.supports
  const hasOwnText = remittance?.type === 'message' && remittance.debtorReference !== undefined
  const unsupportedPaths = [
    ...(hasOwnText && !supportedFields.debtorReference ? ['.remittanceInformation.debtorReference'] : []),
    ...(purposeCode !== undefined && !supportedFields.purposeCode ? ['.purposeCode'] : []),
  ]
  const reason = `${bank.name} does not support this field; it is stored here and not sent to the bank`
  return unsupportedPaths.map((path) => ({ code: 'NotCarriedByBank', reason, path }))
}

function cutOffText(
  dueDate: Temporal.PlainDate,
  rail: DomesticRail,
  { profile: { rails }, countryCode }: Bank,
): string {
  const calendar = calendarOf(countryCode)
  const open = nextBankDay([calendar], dueDate)
  const { cutOff } = rails[rail] ?? rails.account
  const until = cutOffFor(calendar, cutOff, open)
  return `Payments for ${open} must be signed by ${until.toPlainDate()} at ${until.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
