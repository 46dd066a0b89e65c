/** Lists the warnings about a valid domestic payment, which is submitted nevertheless. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { addressTexts, sendableAddress } from '../../banks/connector/postal-address.ts'
import { supportedOrderFields } from '../../banks/directory/supported-order-fields.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { calendarOf, cutOffFor } from '../../countries/execution-day.ts'
import { checkReference } from '../../countries/structured-reference.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import { domesticExecutionDay } from './due-date-validation.ts'
import { railOfOrder, resolveCreditor } from './resolve-creditor.ts'
import type { ValidationContext } from './validation-context.ts'

/** In the order of the fields in the API. */
export function domesticPaymentWarnings(
  ordered: DomesticPayment,
  validation: ValidationContext,
): readonly PaymentWarning[] {
  const { countryCode } = validation.bank
  return [
    creditorWarnings(ordered, countryCode),
    addressWarning(ordered, validation),
    dueDateWarnings(ordered, validation),
    referenceWarning(ordered, countryCode),
    ...notCarriedWarnings(ordered, validation),
  ].flatMap((warning) => warning ?? [])
}

/** Some genuine numbers look invalid: old accounts fail the check digit, new banks are missing from the table. */
function creditorWarnings(ordered: DomesticPayment, countryCode: string): PaymentWarning | undefined {
  const receiver = resolveCreditor(ordered, countryCode)
  return receiver.ok && receiver.warning !== undefined
    ? { code: 'AccountNumberUnverified', reason: `The account number ${receiver.warning}`, path: '.to.account.bban' }
    : undefined
}

/** An address that the bank would reject is left out. */
function addressWarning({ to }: DomesticPayment, { bank }: ValidationContext): PaymentWarning | undefined {
  const { address } = to.contactInformation
  const isGiven = address !== undefined && (addressTexts(address).length > 0 || address.country !== undefined)
  return isGiven && supportedOrderFields(bank).creditorAddress && sendableAddress(address) === undefined
    ? {
        code: 'NotCarriedByBank',
        reason: 'The address is not sent to the bank, which requires city and country',
        path: '.to.contactInformation.address',
      }
    : undefined
}

function dueDateWarnings(ordered: DomesticPayment, { bank, localNow }: ValidationContext): PaymentWarning | undefined {
  const { day, moved } = domesticExecutionDay(ordered, bank, localNow)
  if (moved === 'no') {
    return undefined
  }
  const reason =
    moved === 'closed'
      ? `is not a bank day; ${bank.name} executes the payment on ${day}`
      : `${cutOffText(ordered, bank)}; signed now, ${bank.name} executes the payment on ${day}`
  return withSubject({ code: 'DueDateMoved' as const, reason, path: '.dueDate', expectedExecutionDate: day.toString() })
}

/** Warns of fields that the bank's payments cannot carry. */
function notCarriedWarnings(
  { remittanceInformation: remittance, purposeCode }: DomesticPayment,
  { bank }: ValidationContext,
): readonly PaymentWarning[] {
  const supportedFields = supportedOrderFields(bank)
  const hasOwnText = remittance?.type === 'message' && remittance.debtorReference !== undefined
  const unsupportedPaths = [
    ...(hasOwnText && !supportedFields.debtorReference ? ['.remittanceInformation.debtorReference'] : []),
    ...(purposeCode !== undefined && !supportedFields.purposeCode ? ['.purposeCode'] : []),
  ]
  const reason = `${bank.name} does not support this field; it is stored here and not sent to the bank`
  return unsupportedPaths.map((path) => ({ code: 'NotCarriedByBank', reason, path }))
}

function cutOffText(ordered: DomesticPayment, { profile: { rails }, countryCode }: ValidationContext['bank']): string {
  const calendar = calendarOf(countryCode)
  const open = nextBankDay([calendar], Temporal.PlainDate.from(ordered.dueDate))
  const { cutOff } = rails[railOfOrder(ordered, countryCode)] ?? rails.account
  const until = cutOffFor(calendar, cutOff, open)
  return `Payments for ${open} must be signed by ${until.toPlainDate()} at ${until.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

function referenceWarning({ remittanceInformation }: DomesticPayment, countryCode: string): PaymentWarning | undefined {
  if (remittanceInformation === undefined || remittanceInformation.type === 'message') {
    return undefined
  }
  const checked = checkReference(countryCode, remittanceInformation)
  return checked.ok && checked.warning !== undefined
    ? { code: 'ReferenceUnverified', reason: `The reference ${checked.warning}`, path: '.remittanceInformation' }
    : undefined
}
