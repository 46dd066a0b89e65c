/** Tells on which day a bank carries a cross-border payment out, or the domestic order that funds one. */
import type { Bank } from '../../banks/directory/bank.ts'
import { calendarOf, type ExecutionDay, executionDayOf } from '../../countries/execution-day.ts'
import type { Payment } from '../payment.ts'

/** The day, were it signed at this moment; when the receiver has the money is up to the banks on the way. */
export function crossBorderExecution(
  { dueDate, exchange }: Pick<Payment, 'dueDate' | 'exchange'>,
  { countryCode, profile: { crossBorder, rails } }: Bank,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  const { cutOff } = (exchange === null ? crossBorder : undefined) ?? rails.account
  return executionDayOf(calendarOf(countryCode), cutOff, dueDate, signedAt)
}
