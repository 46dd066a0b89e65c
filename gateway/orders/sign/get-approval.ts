/** Returns an approval to the partner that started it. */
import type { Approval as ApprovalResponse } from '../../../contract/approvals.ts'
import type { Sca } from '../../../contract/sca.ts'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import { getScaForPartner } from '../../authorisations/get-qr-code.ts'
import { refreshScaSessionIfStale } from '../../authorisations/refresh-sca-session.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findOrdersOf } from '../find-orders.ts'
import { type Payment, renderPaymentStatus } from '../payment.ts'
import type { Approval } from './approval.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'
import { findApproval } from './approval-store.ts'
import { requireSameCompany } from './require-payer.ts'

/** What an approval covers: payments, or payrolls with their orders. */
export type ApprovalSubject = 'payments' | 'payrolls'

/** Throws 404, or `ACCESS_DENIED` for a consent at another bank or of another company. */
export async function getApproval(context: Context, caller: ConsentCaller, id: string): Promise<ApprovalResponse> {
  const { partnerId } = caller
  const { approval, sca } = await currentApproval(context, caller, id, 'payments')
  const ids = approval.payments.map(({ paymentId }) => paymentId)
  const payments = await findOrdersOf(context, partnerId, ids)
  return { ...renderApproval(approval, payments), ...(sca && { sca }) }
}

/** The current state of an approval; while the user may be signing, the bank is polled first, at most once a second. Throws like `getApproval`. */
export async function currentApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
  approvalSubject: ApprovalSubject,
): Promise<{ readonly approval: Approval; readonly sca?: Sca | undefined }> {
  const { partnerId } = caller
  const approval = await requireApproval(context, partnerId, id, approvalSubject)
  requireSameCompany(caller, await firstOrderOf(context, approval))
  const session = await findLatestScaSession(context, { partnerId, kind: 'approval', subjectId: approval.id })
  if (approval.status !== 'STARTED' || session === undefined) {
    return { approval }
  }
  const sessionState = await refreshScaSessionIfStale(context, approvalScaSubject, session)
  const stored = (await findApproval(context.database, approval)) ?? approval
  return {
    approval: stored,
    ...(sessionState.at === 'end' ? {} : await getScaForPartner(context, approvalScaSubject, session)),
  }
}

/** An approval of this subject, as stored. Throws 404. */
export async function requireApproval(
  context: Context,
  partnerId: string,
  id: string,
  approvalSubject: ApprovalSubject,
): Promise<Approval> {
  const approval = await findApproval(context.database, { partnerId, id: id.toLowerCase() })
  if (approval === undefined || (await approvalSubjectOf(context, approval)) !== approvalSubject) {
    throw apiError('not-found', 'There is no approval with this id')
  }
  return approval
}

/** All are of one bank, company and subject. */
async function firstOrderOf(context: Context, { partnerId, payments }: Approval): Promise<readonly Payment[]> {
  const ids = payments.slice(0, 1).map(({ paymentId }) => paymentId)
  return await findOrdersOf(context, partnerId, ids)
}

async function approvalSubjectOf(context: Context, approval: Approval): Promise<ApprovalSubject> {
  const [first] = await firstOrderOf(context, approval)
  return first?.type === 'Payroll' ? 'payrolls' : 'payments'
}

/** Banks do not report how many signatures an order needs. */
export function renderApproval(approval: Approval, payments: readonly Payment[]): ApprovalResponse {
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
