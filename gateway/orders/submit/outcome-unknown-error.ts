/** Creates the 503 for an order whose outcome at the bank is unknown: what happened, and what to poll. */
import { type ApiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import type { Submission } from './submission.ts'

const detailByCause = {
  unanswered: (kind: string) =>
    `the ${kind} may or may not be at the bank. Do not send it again; poll the ${kind} named here`,
  unreadable: (kind: string) =>
    `the bank answered in a form that Havn cannot read, and the ${kind} may or may not be there. Do not send it again; ` +
    `poll the ${kind} named here`,
  unrecorded: (kind: string) =>
    `its acknowledgement is not recorded yet. Do not send the ${kind} again; poll the ${kind} named here`,
  resubmitted: (kind: string) => `the order had expired there and was resubmitted. Poll the ${kind} named here`,
} as const

/** Partners do not see orders of payrolls: the error names the payroll. The bank may say when it can be asked again. */
export function outcomeUnknownError(
  { paymentId, payrollId }: Pick<Submission, 'paymentId' | 'payrollId'>,
  cause: keyof typeof detailByCause,
  retryAfterSeconds?: number | null,
): ApiError {
  const retryAfter = retryAfterSeconds == null ? undefined : Math.max(1, retryAfterSeconds)
  return payrollId === undefined
    ? outcomeUnknown({ paymentId }, detailByCause[cause]('payment'), retryAfter)
    : outcomeUnknown({ payrollId }, detailByCause[cause]('payroll'), retryAfter)
}
