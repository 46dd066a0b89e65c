/** Validates the due date of a payment and computes the day on which the bank executes a domestic one. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { isBankDay, nextBankDay, previousBankDay } from '../../countries/bank-days.ts'
import { calendarOf, type ExecutionDay, executionDayOf } from '../../countries/execution-day.ts'
import { isIntraBank, railOfCreditor, resolveCreditor } from './resolve-creditor.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** Accepts today up to the bank's last day, and closed days only where the bank moves such orders itself. */
export function checkDueDate(
  { dueDate, purposeCode }: Pick<DomesticPayment, 'dueDate' | 'purposeCode'>,
  { bank, localNow }: ValidationContext,
): RuleResult {
  const day = dayOf(dueDate)
  const today = localNow.toPlainDate()
  if (day === undefined) {
    return invalid('is not a valid date')
  }
  if (Temporal.PlainDate.compare(day, today) < 0) {
    return invalid(`is in the past; today is ${today}`)
  }
  const last = today.add({ days: bank.profile.dueDateMaxDays })
  if (Temporal.PlainDate.compare(day, last) > 0) {
    return invalid(`is after ${last}, the last due date that ${bank.name} accepts`)
  }
  return isBankDay([calendarOf(bank.countryCode)], day) ? undefined : checkClosedDay(day, today, bank, purposeCode)
}

/** Returns the day on which the bank executes a valid order that is signed at `signedAt`. */
export function domesticExecutionDay(
  ordered: Pick<DomesticPayment, 'dueDate' | 'from' | 'to' | 'remittanceInformation'>,
  { countryCode, profile: { rails } }: Bank,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  const dueDate = Temporal.PlainDate.from(ordered.dueDate)
  const receiver = resolveCreditor(ordered, countryCode)
  // Money between two accounts of one bank needs no clearing: it moves on every day and at every hour.
  if (isIntraBank(ordered, receiver, countryCode)) {
    const today = signedAt.toPlainDate()
    return { day: Temporal.PlainDate.compare(dueDate, today) < 0 ? today : dueDate, moved: 'no' }
  }
  const { cutOff } = rails[railOfCreditor(receiver)] ?? rails.account
  return executionDayOf(calendarOf(countryCode), cutOff, dueDate, signedAt)
}

/** Salaries must arrive before a closed day; other payments move to the next bank day unless the bank rejects them. */
function checkClosedDay(
  day: Temporal.PlainDate,
  today: Temporal.PlainDate,
  { name, countryCode, profile }: Bank,
  purposeCode: DomesticPayment['purposeCode'],
): RuleResult {
  const calendar = calendarOf(countryCode)
  const [before, after] = [previousBankDay([calendar], day), nextBankDay([calendar], day)]
  if (purposeCode === 'SALA') {
    const isOver = Temporal.PlainDate.compare(before, today) < 0
    return isOver
      ? invalid(`is not a bank day, and the previous bank day has passed; the next one is ${after}`)
      : invalid(`is not a bank day; salaries are paid before it, on ${before}`)
  }
  return profile.closedDays === 'refused'
    ? invalid(`is not a bank day, and ${name} does not accept it as due date; the next one is ${after}`)
    : undefined
}

/** Returns undefined for a day that does not exist, such as 30 February. */
function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

function invalid(reason: string): RuleResult {
  return { code: 'InvalidDueDate', reason }
}
