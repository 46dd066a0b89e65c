/** Abandons an approval whose user does not return, so that its payments can be signed or cancelled at once. */

import { abandonScaSession } from '../../authorisations/abandon-sca-session.ts'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findOrdersOf, instructionOf } from '../find-orders.ts'
import { scaTargetIdOf } from './approval.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'
import { type ApprovalSubject, requireApproval } from './get-approval.ts'
import { requireOrdersOfConsent } from './require-payer.ts'

/** Throws 404, `ACCESS_DENIED`, 409 naming what was signed, or the error of a call to the bank; then nothing is abandoned. */
export async function abandonApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
  approvalSubject: ApprovalSubject,
): Promise<undefined> {
  const { partnerId } = caller
  const approval = await requireApproval(context, partnerId, id, approvalSubject)
  const ids = approval.payments.map(({ paymentId }) => paymentId)
  const orders = await findOrdersOf(context, partnerId, ids)
  const startedBy = approval.consentId
  await requireOrdersOfConsent(
    context,
    caller,
    orders.map((order) => ({ ...order, consentIds: [startedBy, order.consentId] })),
  )
  const session = await findLatestScaSession(context, { partnerId, kind: 'approval', subjectId: approval.id })
  if (session === undefined) {
    throw apiError('conflict', 'The approval needs no signature, so it cannot be abandoned')
  }
  const signedTargets = new Set(await abandonScaSession(context, approvalScaSubject, session))
  const toSign = new Set(session.steps.map(({ targetId }) => targetId))
  // If the bank has deleted the authorisation, only the status of the order shows that it was signed.
  const signed = (await findOrdersOf(context, partnerId, ids)).filter((order, n) => {
    const approved = approval.payments[n]
    const target = approved === undefined ? '' : scaTargetIdOf(approved)
    const isSameSigned = order.signed && order.bankPaymentId === approved?.bankPaymentId
    return signedTargets.has(target) || (isSameSigned && toSign.has(target))
  })
  if (signed.length > 0) {
    const names = [...new Set(signed.map((order) => instructionOf(order).id))]
    throw apiError(
      'conflict',
      `Already signed at the bank, so the approval cannot be abandoned: ${names.join(', ')}. Read their status`,
    )
  }
  return undefined
}
