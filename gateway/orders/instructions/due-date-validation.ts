/** The rules on the due date of a payment, and the day on which a domestic one will be carried out. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { isBankDay, nextBankDay, previousBankDay } from '../../countries/bank-days.ts'
import { calendarOf, type ExecutionDay, executionDayOf } from '../../countries/execution-day.ts'
import { isWithinBank, railTo, receiverOf } from './resolve-creditor.ts'
import type { Finding, Situation } from './validation-context.ts'

/** From today to the bank's last day; on closed days only where the bank moves such orders itself. */
export function checkDueDate(
  { dueDate, purposeCode }: Pick<DomesticPayment, 'dueDate' | 'purposeCode'>,
  { bank, localNow }: Situation,
): Finding {
  const day = dayOf(dueDate)
  const today = localNow.toPlainDate()
  if (day === undefined) {
    return invalid('is no day of the calendar')
  }
  if (Temporal.PlainDate.compare(day, today) < 0) {
    return invalid(`is in the past; today is ${today}`)
  }
  const last = today.add({ days: bank.profile.dueDateMaxDays })
  if (Temporal.PlainDate.compare(day, last) > 0) {
    return invalid(`is after ${last}, the last day that ${bank.name} takes`)
  }
  return isBankDay([calendarOf(bank.countryCode)], day) ? undefined : checkClosedDay(day, today, bank, purposeCode)
}

/** The day on which the bank will carry a sound order out, were it signed at this moment. */
export function executionOf(
  ordered: Pick<DomesticPayment, 'dueDate' | 'from' | 'to' | 'remittanceInformation'>,
  { countryCode, profile: { rails } }: Bank,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  const dueDate = Temporal.PlainDate.from(ordered.dueDate)
  const receiver = receiverOf(ordered, countryCode)
  // Money between two accounts of one bank needs no clearing: it moves on every day and at every hour.
  if (isWithinBank(ordered, receiver, countryCode)) {
    const today = signedAt.toPlainDate()
    return { day: Temporal.PlainDate.compare(dueDate, today) < 0 ? today : dueDate, moved: 'no' }
  }
  const { cutOff } = rails[railTo(receiver)] ?? rails.account
  return executionDayOf(calendarOf(countryCode), cutOff, dueDate, signedAt)
}

/** Salaries must be there before the day; everything else moves on, unless the bank refuses it. */
function checkClosedDay(
  day: Temporal.PlainDate,
  today: Temporal.PlainDate,
  { name, countryCode, profile }: Bank,
  purposeCode: DomesticPayment['purposeCode'],
): Finding {
  const calendar = calendarOf(countryCode)
  const [before, after] = [previousBankDay([calendar], day), nextBankDay([calendar], day)]
  if (purposeCode === 'SALA') {
    const isOver = Temporal.PlainDate.compare(before, today) < 0
    return isOver
      ? invalid(`is no bank day, and the last one before it is over; the next one is ${after}`)
      : invalid(`is no bank day; salaries are paid before it, on ${before}`)
  }
  return profile.closedDays === 'refused'
    ? invalid(`is no bank day, and ${name} takes no order for it; the next one is ${after}`)
    : undefined
}

/** The day a text names, or undefined when the calendar has none such, as 30 February. */
function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

function invalid(reason: string): Finding {
  return { code: 'InvalidDueDate', reason }
}
