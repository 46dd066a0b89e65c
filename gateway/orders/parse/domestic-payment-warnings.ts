/** Lists the warnings about a valid domestic payment, which is submitted nevertheless. */
import type { DomesticRail } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { addressTexts, sendableAddress } from '../../banks/connector/bank-order.ts'
import { calendarOf, cutOffFor, type ExecutionDay, nextBankDay } from '../../countries/bank-days.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import type { ValidDomesticPayment } from './domestic-payment-parts.ts'
import { domesticExecutionDay } from './execution-day.ts'
import type { ValidationContext } from './validation-context.ts'

/** Equal orders within this time are possible duplicates. */
export const DUPLICATE_WITHIN = { hours: 24 }

/** Of a payment that equals an earlier one. */
export const DUPLICATE = {
  code: 'PossibleDuplicate',
  reason: 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours',
  path: '.metadata.endToEndId',
} as const satisfies PaymentWarning

/** In the order of the fields in the API. */
export function domesticPaymentWarnings(
  parts: ValidDomesticPayment,
  { bank, localNow }: ValidationContext,
): readonly PaymentWarning[] {
  const { creditor, dueDate, ordered, rail, reference } = parts
  const { purposeCode, remittanceInformation: remittance } = ordered
  const { address } = ordered.to.contactInformation
  const carried = bank.supports
  const isAddressGiven = address !== undefined && (addressTexts(address).length > 0 || address.country !== undefined)
  const hasOwnText = remittance?.type === 'message' && remittance.debtorReference !== undefined
  const warnings: PaymentWarning[] = []
  // Some genuine numbers look invalid: old accounts fail the check digit, new banks are missing from the table.
  if (creditor.warning !== undefined) {
    const reason = `The account number ${creditor.warning}`
    warnings.push({ code: 'AccountNumberUnverified', reason, path: '.to.account.bban' })
  }
  // An address that the bank would reject is left out.
  if (isAddressGiven && carried.creditorAddress && sendableAddress(address) === undefined) {
    const reason = 'The address is not sent to the bank, which requires city and country'
    warnings.push({ code: 'NotCarriedByBank', reason, path: '.to.contactInformation.address' })
  }
  const executed = domesticExecutionDay(parts, dueDate, bank, localNow)
  const late = () =>
    `${cutOffText(dueDate, rail, bank)}; signed now, ${bank.name} executes the payment on ${executed.day}`
  warnings.push(...dueDateWarnings(executed, bank, late))
  if (reference?.ok === true && reference.warning !== undefined) {
    const reason = `The reference ${reference.warning}`
    warnings.push({ code: 'ReferenceUnverified', reason, path: '.remittanceInformation' })
  }
  const missing = {
    '.remittanceInformation.debtorReference': hasOwnText && !carried.debtorReference,
    '.purposeCode': purposeCode !== undefined && !carried.purposeCode,
  }
  return [...warnings, ...notCarriedWarnings(bank, missing)]
}

/** Warns where the bank executes an order on another day than requested; `late` is the reason after its cut-off. */
export function dueDateWarnings(
  { day, moved }: ExecutionDay,
  { name }: Bank,
  late: () => string,
): readonly PaymentWarning[] {
  if (moved === 'no') {
    return []
  }
  const reason = moved === 'closed' ? `is not a bank day; ${name} executes the payment on ${day}` : late()
  return [
    withSubject({ code: 'DueDateMoved' as const, reason, path: '.dueDate', expectedExecutionDate: day.toString() }),
  ]
}

/** Warns of fields that the bank's payments cannot carry: by path, whether the field is given and not supported. */
export function notCarriedWarnings(
  { name }: Bank,
  isMissing: Readonly<Record<string, boolean>>,
): readonly PaymentWarning[] {
  const reason = `${name} does not support this field; it is stored here and not sent to the bank`
  const paths = Object.keys(isMissing).filter((path) => isMissing[path])
  return paths.map((path) => ({ code: 'NotCarriedByBank', reason, path }))
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
