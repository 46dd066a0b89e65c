/** Computes the day on which an open payment is expected to be executed. */
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import { calendarOf, executionDayOf } from '../../countries/bank-days.ts'
import { isFinal, isOutcomeUnknown, type Payment } from '../payment.ts'
import { crossBorderExecutionDay } from './cross-border-execution-day.ts'
import { partsOfAcceptedPayment } from './domestic-payment-parts.ts'
import { domesticExecutionDay } from './due-date-validation.ts'

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
