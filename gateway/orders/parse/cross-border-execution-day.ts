/** Computes the day on which a bank executes a cross-border payment or the domestic order that funds one. */
import type { Bank } from '../../banks/directory/bank.ts'
import { calendarOf, type ExecutionDay, executionDayOf } from '../../countries/bank-days.ts'
import type { Payment } from '../payment.ts'

/** Assumes a signature at `signedAt`; when the creditor receives the money depends on the correspondent banks. */
export function crossBorderExecutionDay(
  { dueDate, exchange }: Pick<Payment, 'dueDate' | 'exchange'>,
  { countryCode, profile: { crossBorder, rails } }: Bank,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  const { cutOff } = (exchange === null ? crossBorder : undefined) ?? rails.account
  return executionDayOf(calendarOf(countryCode), cutOff, dueDate, signedAt)
}
