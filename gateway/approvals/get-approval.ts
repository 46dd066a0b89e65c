/** Shows an approval to the partner that started it. */
import type { Approval as ApprovalShown } from '../../contract/approvals.ts'
import type { Sca } from '../../contract/sca.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { shownStatus } from '../orders/payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { latestSigning } from '../signing/find-signing.ts'
import { scaOf } from '../signing/present-code.ts'
import { settleIfStale } from '../signing/settle-signing.ts'
import type { Approval } from './approval.ts'
import { approvalSigning } from './approval-signing.ts'
import { findApproval } from './approval-store.ts'

/** What an approval signs: payments, or payrolls by their orders. */
export type Signs = 'payments' | 'payrolls'

/** One approval of payments, as it stands now. */
export async function showApproval(context: Context, { partnerId }: ConsentCaller, id: string): Promise<ApprovalShown> {
  const { approval, sca } = await standingApproval(context, partnerId, id, 'payments')
  return { ...(await shownApproval(context, approval)), ...(sca && { sca }) }
}

/** One approval of a kind; while the user may be at the bank, the bank is asked first, once a second at most. Throws 404. */
export async function standingApproval(
  context: Context,
  partnerId: string,
  id: string,
  signs: Signs,
): Promise<{ readonly approval: Approval; readonly sca?: Sca | undefined }> {
  const approval = await requireApproval(context, partnerId, id, signs)
  const signing = await latestSigning(context, { partnerId, kind: 'approval', subjectId: approval.id })
  if (approval.status !== 'STARTED' || signing === undefined) {
    return { approval }
  }
  const standing = await settleIfStale(context, approvalSigning(), signing)
  const kept = (await findApproval(context.database, approval)) ?? approval
  return { approval: kept, ...(standing.at === 'end' ? {} : await scaOf(context, approvalSigning(), signing)) }
}

/** One approval of a kind, as it was last recorded. Throws 404. */
export async function requireApproval(
  context: Context,
  partnerId: string,
  id: string,
  signs: Signs,
): Promise<Approval> {
  const approval = await findApproval(context.database, { partnerId, id: id.toLowerCase() })
  if (approval === undefined || (await whatItSigns(context, approval)) !== signs) {
    throw refuse('not-found', 'There is no approval with this id')
  }
  return approval
}

async function whatItSigns(context: Context, { partnerId, payments }: Approval): Promise<Signs> {
  const ids = payments.slice(0, 1).map(({ paymentId }) => paymentId)
  const [first] = await findOrdersOf(context, partnerId, ids)
  return first?.type === 'Payroll' ? 'payrolls' : 'payments'
}

/** The bank does not say how many signatures an order needs. */
export async function shownApproval(context: Context, approval: Approval): Promise<ApprovalShown> {
  const ids = approval.payments.map(({ paymentId }) => paymentId)
  const payments = await findOrdersOf(context, approval.partnerId, ids)
  const resultById = new Map(approval.payments.map(({ paymentId, result }) => [paymentId, result]))
  return {
    id: approval.id,
    status: approval.status,
    payments: payments.map((payment) => ({
      paymentId: payment.id,
      result: resultById.get(payment.id) ?? approval.status,
      paymentStatus: shownStatus(payment),
    })),
    requiredSignatures: null,
    remainingSignatures: null,
  }
}
