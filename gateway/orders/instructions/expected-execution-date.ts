/** Tells on which day an open payment is expected to be carried out. */
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import { calendarOf, executionDayOf } from '../../countries/execution-day.ts'
import { isFinal, isOutcomeUnknown, type Payment } from '../payment.ts'
import { crossBorderExecution } from './cross-border-execution-day.ts'
import { executionOf } from './due-date-validation.ts'

/** By the moment of signing; until then by the present one. Nothing once the payment is final, or while nobody knows it. */
export async function expectedExecution(
  { banks, clock }: Pick<Context, 'banks' | 'clock'>,
  payment: Payment,
): Promise<{ readonly expectedExecutionDate?: string }> {
  const bank = isFinal(payment) || isOutcomeUnknown(payment) ? undefined : await banks.find(payment.bic)
  if (bank === undefined) {
    return {}
  }
  return { expectedExecutionDate: executionDay(payment, bank, clock.now()).toString() }
}

/** The day on which a payment is carried out by when it was signed; by another moment where nobody knows of a signature. */
export function executionDay(payment: Payment, bank: Bank, otherwise: Temporal.Instant): Temporal.PlainDate {
  const moment = (payment.signedAt ?? otherwise).toZonedDateTimeISO(bank.profile.timeZone).toPlainDateTime()
  switch (payment.type) {
    case 'Domestic':
      return executionOf(payment.ordered, bank, moment).day
    case 'CrossBorder':
      return crossBorderExecution(payment, bank, moment).day
    case 'Payroll':
      return executionDayOf(calendarOf(bank.countryCode), bank.profile.rails.account.cutOff, payment.dueDate, moment)
        .day
  }
}
