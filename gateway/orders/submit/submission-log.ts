/** Defines the log lines by which a submitted order can be found when the database has lost its rows. */
import { type Static, Type } from 'typebox'

/** Written before a bank is called, so that an order without it was never submitted. */
export const SUBMITTED = 'an order is submitted to its bank'
/** Written as soon as the bank has answered, or could not be understood. */
export const SUBMISSION_ENDED = 'the submission of an order has ended'

const Id = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

/** The fields of a submission. Orders of payrolls are named by their payroll only. */
export const LoggedSubmission = Type.Object({
  time: Type.String(),
  msg: Type.Literal(SUBMITTED),
  partnerId: Id,
  paymentId: Id,
  payrollId: Type.Optional(Id),
  consentId: Id,
  bank: Type.String(),
  bankRequestId: Id,
  endToEndId: Type.Optional(Type.String()),
})
export type LoggedSubmission = Static<typeof LoggedSubmission>

/** The fields of the end of a submission. */
export const LoggedSubmissionEnd = Type.Object({
  msg: Type.Literal(SUBMISSION_ENDED),
  bankRequestId: Id,
  outcome: Type.Enum(['acknowledged', 'rejected', 'unknown']),
  bankPaymentId: Type.Optional(Type.String()),
})
export type LoggedSubmissionEnd = Static<typeof LoggedSubmissionEnd>
