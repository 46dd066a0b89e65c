/** Starts the approval of payments for the user of a consent, and shows it to the partner. */
import type { ApprovalRequest, Approval as ApprovalResponse } from '../../contract/approvals.ts'
import { preferredApproachOf } from '../banks/connector/bank.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { findOrdersOf, findPaymentsOf, findScaExemptPayments } from '../orders/find-orders.ts'
import { isOpenForSigning, isOutcomeUnknown, type Payment, renderPaymentStatus } from '../orders/payment.ts'
import {
  type Approvable,
  mismatchOf,
  requireAccounts,
  requireAcknowledged,
  SIGNATURE_NOT_SHOWN,
} from '../orders/sign/approvable.ts'
import { type Approval, maxBasketSizeOf, requireWithinApprovalLimit } from '../orders/sign/approval.ts'
import { beginApproval } from '../orders/sign/begin-approval.ts'
import { currentApproval } from '../orders/sign/get-approval.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { InvalidRequestError, stateError, type ValidationError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { paymentSummaries } from './payment-summary.ts'

/**
 * The user of the caller's consent signs, who need not be the one who created the payments. Throws 403 for a company that
 * may not pay, 404, 422 at `.payments[n]`, or `ACCESS_DENIED`.
 */
export async function approvePayments(
  context: Context,
  caller: ConsentCaller,
  request: ApprovalRequest,
): Promise<ApprovalResponse> {
  const bank = await requireBank(context.banks, caller.consent.bic)
  const find = () => findApprovable(context, caller, request.payments)
  const paths = request.payments.map((_id, n) => `.payments[${n}]`)
  requireWithinApprovalLimit(paths, maxBasketSizeOf(context, bank))
  await requirePaymentsAllowed(context, caller.consent)
  const found = await find()
  const accounts = found.payments.map(({ debtorBban, ordered: { from } }) => ({ debtorBban, currency: from.currency }))
  await requireAccounts(context, caller, accounts)
  const { approval, payments, sca } = await beginApproval(context, caller, {
    bank,
    id: newId(),
    callbackUrl: request.callbackUrl,
    preferred: preferredApproachOf(request.preferredScaMethod),
    codeForPartner: true,
    found,
    findAgain: find,
  })
  return { ...renderApproval(approval, payments), ...(sca && { sca }) }
}

/** Throws 404, or `ACCESS_DENIED` for a consent at another bank or of another company. */
export async function getPaymentApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<ApprovalResponse> {
  const { partnerId } = caller
  const { approval, sca } = await currentApproval(context, caller, id, 'payments')
  const payments = await findOrdersOf(context, partnerId, approval.payments)
  return { ...renderApproval(approval, payments), ...(sca && { sca }) }
}

/** Banks do not report how many signatures an order needs. */
function renderApproval(approval: Approval, payments: readonly Payment[]): ApprovalResponse {
  const resultById = new Map(approval.payments.map(({ paymentId, result }) => [paymentId, result]))
  return {
    id: approval.id,
    status: approval.status,
    payments: payments.map((payment) => ({
      paymentId: payment.id,
      result: resultById.get(payment.id) ?? approval.status,
      paymentStatus: renderPaymentStatus(payment),
    })),
    requiredSignatures: null,
    remainingSignatures: null,
  }
}

/** The payments as they are now. Throws 404, or 422 at `.payments[n]`. */
async function findApprovable(context: Context, caller: ConsentCaller, ids: readonly string[]): Promise<Approvable> {
  const payments = await findPaymentsOf(context, caller.partnerId, ids)
  const scaExemptIds = await findScaExemptPayments(context, caller.partnerId, payments)
  const errors = payments.flatMap((payment, n) => approvalErrorsOf(caller, payment, scaExemptIds.has(payment.id), n))
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  const positionById = new Map(payments.map(({ id }, n) => [id, n]))
  const pathOf = (id: string) => `.payments[${positionById.get(id)}]`
  return { payments: payments.map(requireAcknowledged), scaExemptIds, pathOf, show: paymentSummaries }
}

function approvalErrorsOf(
  caller: ConsentCaller,
  payment: Payment,
  isScaExempt: boolean,
  n: number,
): readonly ValidationError[] {
  const path = `.payments[${n}]`
  const mismatch = mismatchOf(caller, payment, 'payment')
  if (mismatch !== undefined) {
    return [{ code: 'InvalidRequest', reason: mismatch, path }]
  }
  if (isOutcomeUnknown(payment)) {
    return [stateError(path, 'cannot be signed: it is unknown whether the bank accepted it')]
  }
  return isScaExempt || isOpenForSigning(payment) ? [] : [stateError(path, `cannot be signed: ${stateOf(payment)}`)]
}

function stateOf({ status, signed, exchange, deadlineAt }: Payment): string {
  if (signed && status === 'Unsigned') {
    return SIGNATURE_NOT_SHOWN
  }
  const isMissed = (exchange === 'cancelled' || exchange === 'uncancellable') && !signed && deadlineAt !== null
  const missed = isMissed ? `, because it was not signed before its deadline, ${formatTimestamp(deadlineAt)}` : ''
  return `it is ${status}${missed}`
}
