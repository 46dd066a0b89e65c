/** Cancels those orders of a payroll that its bank still cancels; shows the cancellation. */
import type {
  PayrollCancellationRequest,
  PayrollCancellation as PayrollCancellationResponse,
} from '../../contract/payrolls/payroll-approval-operations.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentActor, ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import {
  type CancellableInstruction,
  progressOf,
  reasonOfCancellation,
  statusOfCancellation,
  unsupportedReason,
} from '../orders/cancel/cancellation.ts'
import {
  type CancellationOffer,
  findCancellationOffer,
  requireInstructionOfConsent,
  requirePayingUser,
  unknownOrderError,
} from '../orders/cancel/cancellation-access.ts'
import { findOpenCancellation } from '../orders/cancel/cancellation-store.ts'
import { type CurrentCancellation, getCancellation, requireAnswered } from '../orders/cancel/get-cancellation.ts'
import { requestCancellation } from '../orders/cancel/request-cancellation.ts'
import { findPayrollOf, listPayrollOrders, selectPayrollOrders } from '../orders/find-orders.ts'
import { isAcknowledged, isFinalStatus, isOutcomeUnknown, type PayrollPayment, permits } from '../orders/payment.ts'
import type { Payroll } from '../orders/payroll.ts'
import { failPayrollSubmission } from '../orders/submit/maintain-payroll.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { waitUntil } from '../platform/wait-until.ts'
import { payrollSummaries } from './payroll-summary.ts'

const SENT_AS_FILE = 'The bank received this payroll as a file and does not permit third parties to cancel it'
const CANCELLED = 'It was cancelled before all of it had been submitted to the bank'
/** Most banks answer within this time. */
const ANSWERED_WITHIN_MILLISECONDS = 20_000
const POLL_INTERVAL_MILLISECONDS = 250
const RETRY_AFTER_SECONDS = 5
/** Until then the user's request cancels the orders; afterwards the sweep cancels the rest. */
const CANCELLED_BY_USER_WITHIN = { seconds: 30 }

/**
 * The user of the caller's consent cancels, who need not be the one who ordered the payroll. While a cancellation is open,
 * it is returned instead of a new one. One that takes longer is returned with its progress. Throws 503 when the bank did
 * not answer for some of the orders.
 */
export async function cancelPayroll(
  context: Context,
  caller: ConsentActor,
  { payrollId, ...request }: PayrollCancellationRequest,
): Promise<PayrollCancellationResponse> {
  const bank = await requireBank(context.banks, caller.consent.bic)
  const result = await requestCancellation(context, { ...request, caller, bank, codeForPartner: false }, () =>
    requireCancellablePayroll(context, caller, bank, payrollId),
  )
  if (result.isUnanswered) {
    requireAnswered(result.cancellation)
  }
  return await renderPayrollCancellation(context, result)
}

/**
 * Stops a submission in progress and waits for the orders that are in flight to the bank. Throws 403 for a company that may
 * not pay, 404, 409 for an unknown outcome, 422, `ACCESS_DENIED`, or `AUTHENTICATION_TEMPORARY_UNAVAILABLE` when the bank
 * takes longer.
 */
async function requireCancellablePayroll(
  context: Context,
  caller: ConsentActor,
  bank: Bank,
  requestedId: string,
): Promise<CancellableInstruction> {
  await requirePaymentsAllowed(context, caller.consent)
  const payroll = await findPayrollOf(context, caller.partnerId, requestedId)
  requireInstructionOfConsent(caller, 'payroll', payroll)
  if (payroll.submissionMode === 'file') {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', SENT_AS_FILE)
  }
  await requirePayingUser(context, caller, payroll, payroll.currency)
  if (payroll.state === 'submitting') {
    const cancelsNothing = unsupportedReason(bank, 'payroll') !== undefined
    const atBank = cancelsNothing ? await listPayrollOrders(context, { ...payroll, payrollId: payroll.id }) : []
    if (atBank.length > 0) {
      // Not stopped: what the bank holds would stay there without the rest.
      return cancellablePayroll(context, bank, payroll, atBank)
    }
    await failPayrollSubmission(context, payroll, CANCELLED, CANCELLED_BY_USER_WITHIN)
  }
  const orders = await waitForAnsweredOrders(context, payroll)
  if (orders.some(isOutcomeUnknown)) {
    throw unknownOrderError('payroll', payroll.id, 'all of this payroll')
  }
  return cancellablePayroll(context, bank, await findPayrollOf(context, payroll.partnerId, payroll.id), orders)
}

/** Returns the orders once none is in flight to the bank. */
async function waitForAnsweredOrders(
  context: Context,
  { partnerId, id: payrollId }: Payroll,
): Promise<readonly PayrollPayment[]> {
  const orders = await waitUntil(
    () => listPayrollOrders(context, { partnerId, payrollId }),
    (found) => !found.some(isInFlight),
    { withinMilliseconds: ANSWERED_WITHIN_MILLISECONDS, everyMilliseconds: POLL_INTERVAL_MILLISECONDS },
  )
  const pending = orders.filter(isInFlight).length
  if (pending > 0) {
    const message =
      `The bank has not answered yet for ${pending} of ${orders.length} orders of the payroll. No further orders are ` +
      'submitted. Try again in a few seconds'
    throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  return orders
}

function isInFlight({ outcome }: PayrollPayment): boolean {
  return outcome === 'in-flight'
}

function cancellablePayroll(
  context: Context,
  bank: Bank,
  payroll: Payroll,
  orders: readonly PayrollPayment[],
): CancellableInstruction {
  const { partnerId, id } = payroll
  const cancellable = orders.filter((order) => isAcknowledged(order) && permits(order, 'cancel'))
  const decided = decisionWithoutBank(bank, payroll, orders, cancellable.length > 0)
  const toCancel = decided.decision === null ? cancellable : []
  return {
    ...{ partnerId, id, kind: 'payroll', orders, toCancel, ...decided, audited: { orders: toCancel.length } },
    show: (signed) => payrollSummaries(context, [payroll], selectPayrollOrders(signed)),
  }
}

/** A payroll of which the bank holds no order yet is cancelled without a call: it is not submitted. */
function decisionWithoutBank(
  bank: Bank,
  payroll: Payroll,
  orders: readonly PayrollPayment[],
  isAnyCancellable: boolean,
): Pick<CancellableInstruction, 'decision' | 'reason'> {
  const paid = orders.filter(({ status }) => status === 'Completed').length
  if (!isAnyCancellable && payroll.state !== 'submitting') {
    return payroll.state === 'failing' && paid === 0
      ? { decision: 'ACCEPTED', reason: null }
      : { decision: 'REJECTED', reason: `The payroll is already ${payroll.status}` }
  }
  const unsupported = unsupportedReason(bank, 'payroll')
  if (unsupported !== undefined) {
    return { decision: 'REJECTED', reason: unsupported }
  }
  const reason = paid === 0 ? null : `${paid} of ${orders.length} transactions were Completed before`
  return { decision: null, reason }
}

/** Whether a payroll can be cancelled now, and by which of the company's users; for pages that offer it. */
export async function findPayrollCancellationOffer(context: Context, payroll: Payroll): Promise<CancellationOffer> {
  const rejection = await rejectionReason(context, payroll)
  return await findCancellationOffer(context, {
    ...payroll,
    kind: 'payroll',
    firstConsentId: payroll.submissionConsentId,
    rejection,
  })
}

async function rejectionReason(
  { banks }: Context,
  { bic, state, status, submissionMode }: Payroll,
): Promise<string | undefined> {
  if (submissionMode === 'file') {
    return SENT_AS_FILE
  }
  if (state === 'submitting') {
    // What is not submitted yet needs no call to the bank.
    return undefined
  }
  return isFinalStatus(status)
    ? `The payroll is already ${status}`
    : unsupportedReason(await requireBank(banks, bic), 'payroll')
}

/** Throws `conflict` while the result is unknown for any of its orders: the user would sign only the rest of it. */
export async function requireNoOpenCancellation(
  context: Context,
  { partnerId, id: payrollId }: Payroll,
): Promise<void> {
  if ((await findOpenCancellation(context.database, { partnerId, kind: 'payroll', id: payrollId })) !== undefined) {
    throw apiError(
      'conflict',
      'The payroll is being cancelled, and the bank has not answered for all of its orders. It can be signed if the ' +
        'cancellation fails',
      { payrollId },
    )
  }
}

/** While the user may be signing, the bank is polled first, at most once a second. Throws 404 or `ACCESS_DENIED`. */
export async function getPayrollCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<PayrollCancellationResponse> {
  return await renderPayrollCancellation(context, await getCancellation(context, caller, 'payroll', id))
}

/** The status, or the progress until the bank has answered for every order. */
async function renderPayrollCancellation(
  context: Context,
  { cancellation, sca }: CurrentCancellation,
): Promise<PayrollCancellationResponse> {
  const { id, partnerId, instructionId } = cancellation
  const status = statusOfCancellation(cancellation)
  const { status: currentPayrollStatus } = await findPayrollOf(context, partnerId, instructionId)
  return {
    id,
    ...(sca?.type === 'redirect' ? { sca } : {}),
    ...(status === 'REQUESTED' ? {} : { cancellationRequestStatus: status }),
    currentPayrollStatus,
    reason: reasonOfCancellation(cancellation),
    ...(status === 'REQUESTED' ? { progress: progressOf(cancellation) } : {}),
  }
}
