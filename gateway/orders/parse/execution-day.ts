/** Computes the day on which a bank executes an order, and validates due dates. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { Context } from '../../context.ts'
import {
  calendarOf,
  type ExecutionDay,
  executionDayOf,
  isBankDay,
  nextBankDay,
  previousBankDay,
} from '../../countries/bank-days.ts'
import { isFinal, isOutcomeUnknown, type Payment } from '../payment.ts'
import { type DomesticPaymentParts, partsOfAcceptedPayment } from './domestic-payment-parts.ts'
import type { Ordered, RuleResult, ValidationContext } from './validation-context.ts'

/**
 * Accepts today up to the bank's last day, and closed days only where the bank moves such orders itself. The day is
 * undefined for a date that does not exist.
 */
export function checkDueDate(
  { dueDate: day, ordered: { purposeCode } }: Pick<DomesticPaymentParts, 'dueDate'> & Ordered<'purposeCode'>,
  { bank, localNow }: Pick<ValidationContext, 'bank' | 'localNow'>,
): RuleResult {
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

/** Returns the day on which the bank executes an order with this due date that is signed at `signedAt`. */
export function domesticExecutionDay(
  { rail, needsClearing }: Pick<DomesticPaymentParts, 'rail' | 'needsClearing'>,
  dueDate: Temporal.PlainDate,
  { countryCode, profile: { rails } }: Bank,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  if (!needsClearing) {
    const today = signedAt.toPlainDate()
    return { day: Temporal.PlainDate.compare(dueDate, today) < 0 ? today : dueDate, moved: 'no' }
  }
  const { cutOff } = rails[rail] ?? rails.account
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
  return profile.closedDays === 'rejected'
    ? invalid(`is not a bank day, and ${name} does not accept it as due date; the next one is ${after}`)
    : undefined
}

function invalid(reason: string): RuleResult {
  return { code: 'InvalidDueDate', reason }
}

/** Assumes a signature at `signedAt`; when the creditor receives the money depends on the correspondent banks. */
export function crossBorderExecutionDay(
  { dueDate, exchange }: Pick<Payment, 'dueDate' | 'exchange'>,
  { countryCode, profile: { crossBorder, rails } }: Bank,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  const { cutOff } = (exchange === null ? crossBorder : undefined) ?? rails.account
  return executionDayOf(calendarOf(countryCode), cutOff, dueDate, signedAt)
}

/** Based on the time of signing, or now if unsigned. Returns no date for a final payment or an unknown outcome. */
export async function findExpectedExecutionDate(
  { banks, clock }: Context,
  payment: Payment,
): Promise<{ readonly expectedExecutionDate?: string }> {
  const bank = isFinal(payment) || isOutcomeUnknown(payment) ? undefined : await banks.find(payment.bic)
  if (bank === undefined) {
    return {}
  }
  return { expectedExecutionDate: executionDay(payment, bank, clock.now()).toString() }
}

/** Returns the execution day by the time of signing, or by `otherwise` when no signature is known. */
export function executionDay(payment: Payment, bank: Bank, otherwise: Temporal.Instant): Temporal.PlainDate {
  const moment = (payment.signedAt ?? otherwise).toZonedDateTimeISO(bank.profile.timeZone).toPlainDateTime()
  switch (payment.type) {
    case 'Domestic':
      return domesticExecutionDay(
        partsOfAcceptedPayment(payment.ordered, bank.countryCode),
        payment.dueDate,
        bank,
        moment,
      ).day
    case 'CrossBorder':
      return crossBorderExecutionDay(payment, bank, moment).day
    case 'Payroll':
      return executionDayOf(calendarOf(bank.countryCode), bank.profile.rails.account.cutOff, payment.dueDate, moment)
        .day
  }
}
