/** What a file on its way to a bank is: how far it has come, and when it is seen to. */
import type { Bank } from '../../banks/directory/bank.ts'
import type { Payment } from '../../orders/payment.ts'

/** waiting: the bank cannot have it. prepared: it lies where the bank does not look. withdrawn: it never went. */
export type FileState = 'waiting' | 'prepared' | 'sent' | 'withdrawn'

/** A file as it is kept; what it holds is written anew from the payroll whenever it is needed. */
export type PaymentFile = {
  readonly partnerId: string
  /** Of the payment whose order it holds. */
  readonly id: string
  readonly bic: string
  readonly messageId: string
  readonly state: FileState
  /** The attempt that has prepared it; null until one has. */
  readonly attempt: string | null
  readonly createdAt: Temporal.Instant
  /** By the bank's clock, of the newest report that was taken. */
  readonly reportedAt: Temporal.Instant | null
}

/** Between attempts while the bank's place for files cannot be used. */
export const SEND_AGAIN = { leastSeconds: 30, mostSeconds: 900 }

/** After this people learn of a file that does not get there. */
export const UNSENT_TOLD_AFTER = { minutes: 30 }

/** So many days after the due day, weekends among them, people look for an answer that has not come. */
const ANSWER_EXPECTED_DAYS = 3

/** When people look for an answer. */
export function answerExpectedAt({ dueDate }: Pick<Payment, 'dueDate'>, { profile }: Bank): Temporal.Instant {
  return dueDate.add({ days: ANSWER_EXPECTED_DAYS }).toZonedDateTime(profile.timeZone).toInstant()
}
