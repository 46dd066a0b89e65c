/** Defines a payment file: its states and the times of its processing. */
import type { Bank } from '../banks/connector/bank.ts'
import type { Payment } from './payment.ts'

/** waiting: not uploaded. prepared: uploaded outside the bank's inbox. sent: in the inbox. cancelled: it was never sent. */
export type FileState = 'waiting' | 'prepared' | 'sent' | 'withdrawn'

/** A file as stored; its content is built from the payroll when it is needed. */
export type PaymentFile = {
  readonly partnerId: string
  /** The id of the payment whose order it contains. */
  readonly id: string
  readonly bic: string
  readonly messageId: string
  readonly state: FileState
  /** The attempt that prepared it; null before. */
  readonly attempt: string | null
  readonly createdAt: Temporal.Instant
  /** Time of the newest applied report, by the bank's clock. */
  readonly reportedAt: Temporal.Instant | null
}

/** Between attempts while the bank's file server is unavailable. */
export const SEND_RETRY_DELAY = { leastSeconds: 30, mostSeconds: 900 }

/** After this an operator task is raised for a file that is not sent. */
export const UNSENT_TASK_AFTER = { minutes: 30 }

/** Calendar days after the due date, after which operators look for a missing report. */
const ANSWER_EXPECTED_DAYS = 3

/** When an operator task is raised for a missing report. */
export function answerExpectedAt({ dueDate }: Pick<Payment, 'dueDate'>, { profile }: Bank): Temporal.Instant {
  return dueDate.add({ days: ANSWER_EXPECTED_DAYS }).toZonedDateTime(profile.timeZone).toInstant()
}
