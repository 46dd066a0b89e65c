/** Cancels a bulk that was not accepted completely, and reports which of its payrolls are executed nevertheless. */
import type { PayrollBulkInitiated, PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import type { Context } from '../../context.ts'
import { ApiError, apiError, InvalidRequestError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { type BulkCancellation, cancelBulk } from './cancel-bulk.ts'

/** A bulk whose ordering failed. */
export type InterruptedBulk = {
  readonly bulk: RowKey
  /** Those that the bank has accepted, in request order. */
  readonly payrolls: readonly PayrollInitiated[]
  /** The response that was stored with the approval; undefined if no approval was started. */
  readonly response: PayrollBulkInitiated | undefined
  readonly error: unknown
}

/** Returns the stored response if the approval had been stored. Otherwise throws the error that ended the bulk, or which payroll may be paid. */
export async function failBulk(context: Context, interrupted: InterruptedBulk): Promise<PayrollBulkInitiated> {
  const { bulk, response, error } = interrupted
  const cancellation = await cancelBulk(context, bulk).catch((failure: unknown) => {
    context.log.error(
      { bulkId: bulk.id, error: failure, cause: error },
      'cancelling a bulk failed; the sweep retries it',
    )
    return undefined
  })
  if (cancellation === undefined) {
    throw pendingCancellationError(interrupted)
  }
  if (cancellation.state === 'submitted' && response !== undefined) {
    context.log.error(
      { bulkId: bulk.id, error },
      'processing a bulk failed after its approval was stored; a sweep completes it',
    )
    return response
  }
  throw bulkFailureError(cancellation, interrupted)
}

/** The sweep cancels the bulk. If the bank accepted nothing and every outcome is known, the original error suffices. */
function pendingCancellationError({ payrolls, error }: InterruptedBulk): unknown {
  const unknown = error instanceof ApiError ? error.extras.payrollId : undefined
  const payrollId = payrolls[0]?.payrollId ?? unknown
  const detail =
    'the bulk was not accepted completely, and its accepted payrolls are cancelled at the bank within the hour. Do not ' +
    'order it again before its payrolls have ended'
  return payrollId === undefined ? error : outcomeUnknown({ payrollId }, detail)
}

/** A partner that orders the bulk again must know what would be paid twice. */
function bulkFailureError(
  { orderStates: { carriedOut, unknown } }: BulkCancellation,
  { payrolls, error }: InterruptedBulk,
): unknown {
  const [paid] = carriedOut
  if (paid !== undefined && error instanceof InvalidRequestError) {
    const errors = carriedOut.map(({ payrollId }) => {
      const n = payrolls.findIndex((payroll) => payroll.payrollId === payrollId)
      const reason = `is executed by the bank without a signature, as payroll ${payrollId}; do not order it again`
      return { code: 'InvalidRequest', reason, path: n < 0 ? '.payrolls' : `.payrolls[${n}]` } as const
    })
    return new InvalidRequestError([...error.validationErrors, ...errors])
  }
  if (paid !== undefined) {
    const message =
      'The bulk was not accepted completely, but the bank executes the payroll with this payrollId, which needs no ' +
      'signature. Do not order that payroll again'
    return apiError('conflict', message, { payrollId: paid.payrollId })
  }
  const [unresolved] = unknown
  if (unresolved !== undefined) {
    const detail =
      'the bulk was cancelled, and its accepted payrolls are cancelled at the bank. Do not order it again before the ' +
      'payroll with this payrollId has ended'
    return outcomeUnknown({ payrollId: unresolved.payrollId }, detail)
  }
  return error
}
