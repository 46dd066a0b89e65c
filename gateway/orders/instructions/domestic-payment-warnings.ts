/** What a partner should look at in a domestic payment that passes the rules; it is handed to the bank all the same. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { carriedParts } from '../../banks/carried-parts.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { calendarOf, cutOffFor } from '../../countries/execution-day.ts'
import { checkReference } from '../../countries/structured-reference.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import { executionOf } from './due-date-validation.ts'
import { railOfOrder, receiverOf } from './resolve-creditor.ts'
import type { Situation } from './validation-context.ts'

/** In the order of the members that the interface lists. */
export function warningsOn(ordered: DomesticPayment, situation: Situation): readonly PaymentWarning[] {
  const { countryCode } = situation.bank
  return [
    aboutReceiver(ordered, countryCode),
    aboutDueDate(ordered, situation),
    aboutReference(ordered, countryCode),
    ...aboutUntold(ordered, situation),
  ].flatMap((warning) => warning ?? [])
}

/** Genuine numbers exist that look wrong: old accounts that fail the check, banks newer than the table. */
function aboutReceiver(ordered: DomesticPayment, countryCode: string): PaymentWarning | undefined {
  const receiver = receiverOf(ordered, countryCode)
  return receiver.ok && receiver.warning !== undefined
    ? { code: 'AccountNumberUnverified', reason: `The account number ${receiver.warning}`, path: '.to.account.bban' }
    : undefined
}

function aboutDueDate(ordered: DomesticPayment, { bank, localNow }: Situation): PaymentWarning | undefined {
  const { day, moved } = executionOf(ordered, bank, localNow)
  if (moved === 'no') {
    return undefined
  }
  const reason =
    moved === 'closed'
      ? `is no bank day; ${bank.name} carries the payment out on ${day}`
      : `${tellCutOff(ordered, bank)}; signed now, ${bank.name} carries the payment out on ${day}`
  return withSubject({ code: 'DueDateMoved' as const, reason, path: '.dueDate', expectedExecutionDate: day.toString() })
}

/** What was ordered and has no place in the bank's payments. */
function aboutUntold(
  { remittanceInformation: remittance, purposeCode }: DomesticPayment,
  { bank }: Situation,
): readonly PaymentWarning[] {
  const carried = carriedParts(bank)
  const hasOwnText = remittance?.type === 'message' && remittance.debtorReference !== undefined
  const untold = [
    ...(hasOwnText && !carried.debtorReference ? ['.remittanceInformation.debtorReference'] : []),
    ...(purposeCode !== undefined && !carried.purposeCode ? ['.purposeCode'] : []),
  ]
  const reason = `${bank.name} has no place for it in its payments; it is kept here and not told to the bank`
  return untold.map((path) => ({ code: 'NotCarriedByBank', reason, path }))
}

function tellCutOff(ordered: DomesticPayment, { profile: { rails }, countryCode }: Situation['bank']): string {
  const calendar = calendarOf(countryCode)
  const open = nextBankDay([calendar], Temporal.PlainDate.from(ordered.dueDate))
  const { cutOff } = rails[railOfOrder(ordered, countryCode)] ?? rails.account
  const until = cutOffFor(calendar, cutOff, open)
  return `Payments for ${open} must be signed by ${until.toPlainDate()} at ${until.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

function aboutReference({ remittanceInformation }: DomesticPayment, countryCode: string): PaymentWarning | undefined {
  if (remittanceInformation === undefined || remittanceInformation.type === 'message') {
    return undefined
  }
  const checked = checkReference(countryCode, remittanceInformation)
  return checked.ok && checked.warning !== undefined
    ? { code: 'ReferenceUnverified', reason: `The reference ${checked.warning}`, path: '.remittanceInformation' }
    : undefined
}
