/** Finds an approval for its partner as it is now, and abandons it if its user does not return. */

import type { Sca } from '../../../contract/sca.ts'
import { abandonScaSession } from '../../authorisations/end-sca-session.ts'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import { refreshScaForPartner } from '../../authorisations/get-qr-code.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findOrdersOf } from '../find-orders.ts'
import { type Instruction, instructionOf } from '../instruction.ts'
import type { Payment } from '../payment.ts'
import { type Approval, scaTargetIdOf } from './approval.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'
import { findApproval } from './approval-store.ts'
import { requireOrdersOfConsent, requireSameCompany } from './require-payer.ts'

/**
 * The current state of an approval; while the user may be signing, the bank is polled first, at most once a second.
 * Throws 404, or `ACCESS_DENIED` for a consent at another bank or of another company.
 */
export async function currentApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
  approvalSubject: Instruction['subject'],
): Promise<{ readonly approval: Approval; readonly sca?: Sca | undefined }> {
  const { partnerId } = caller
  const approval = await requireApproval(context, partnerId, id, approvalSubject)
  requireSameCompany(caller, await firstOrderOf(context, approval))
  if (approval.status !== 'STARTED') {
    return { approval }
  }
  const subject = { partnerId, kind: 'approval', subjectId: approval.id } as const
  const sca = await refreshScaForPartner(context, approvalScaSubject, subject)
  return { approval: (await findApproval(context.database, approval)) ?? approval, ...sca }
}

/** An approval of this subject, as stored. Throws 404. */
export async function requireApproval(
  context: Context,
  partnerId: string,
  id: string,
  approvalSubject: Instruction['subject'],
): Promise<Approval> {
  const approval = await findApproval(context.database, { partnerId, id: id.toLowerCase() })
  const [first] = approval === undefined ? [] : await firstOrderOf(context, approval)
  const subject = first === undefined ? 'payments' : instructionOf(first).subject
  if (approval === undefined || subject !== approvalSubject) {
    throw apiError('not-found', 'There is no approval with this id')
  }
  return approval
}

/** All are of one bank, company and subject. */
async function firstOrderOf(context: Context, { partnerId, payments }: Approval): Promise<readonly Payment[]> {
  return await findOrdersOf(context, partnerId, payments.slice(0, 1))
}

/** Throws 404, `ACCESS_DENIED`, 409 naming what was signed, or the error of a call to the bank; then nothing is abandoned. */
export async function abandonApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
  approvalSubject: Instruction['subject'],
): Promise<undefined> {
  const { partnerId } = caller
  const approval = await requireApproval(context, partnerId, id, approvalSubject)
  const orders = await findOrdersOf(context, partnerId, approval.payments)
  const startedBy = approval.consentId
  await requireOrdersOfConsent(
    context,
    caller,
    orders.map((order) => {
      const { currency } = order.ordered.from
      return { ...order, currency, consentIds: [startedBy, order.consentId] }
    }),
  )
  const session = await findLatestScaSession(context, { partnerId, kind: 'approval', subjectId: approval.id })
  if (session === undefined) {
    throw apiError('conflict', 'The approval needs no signature, so it cannot be abandoned')
  }
  const signedTargets = new Set(await abandonScaSession(context, approvalScaSubject, session))
  const toSign = new Set(session.steps.map(({ targetId }) => targetId))
  // If the bank has deleted the authorisation, only the status of the order shows that it was signed.
  const signed = (await findOrdersOf(context, partnerId, approval.payments)).filter((order, n) => {
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
