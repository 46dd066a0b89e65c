/** Implements SCA for approvals: starts and reads the authorisation of each step, and completes the approval with the outcome. */

import { requireConsentIdOf, type ScaStartContext, type ScaSubject } from '../authorisations/sca-session.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import { scaPartiesOf } from '../consents/sca-parties.ts'
import { withValidTokens } from '../consents/tokens/with-valid-tokens.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { pollOnNotification } from '../orders/status/handle-payment-notification.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { type Approval, scaTargetIdOf } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { completeApproval } from './complete-approval.ts'
import { recordLateSignature } from './record-late-signature.ts'
import { type ScaStepTarget, scaStepTarget } from './sca-step-target.ts'

/** The sweep polls the rest of a large basket. */
const READ_AT_ONCE_MAX = 10

/** `unsaved` is an approval that is not stored yet. */
export function approvalScaSubject(unsaved?: Approval): ScaSubject {
  const find = async (context: Context, { partnerId, subjectId }: ScaSessionRef) =>
    unsaved ?? (await findApproval(context.database, { partnerId, id: subjectId }))
  const withScaTarget = async <Result>(
    context: Context,
    session: ScaSessionRef & { readonly targetId: string },
    call: (target: ScaStepTarget) => Promise<Result>,
  ): Promise<Result> => {
    const { targetId, partnerId } = session
    const approval = await find(context, session)
    if (approval === undefined) {
      throw new Error(`SCA session refers to approval ${session.subjectId}, which does not exist`)
    }
    const first = approval.payments.find((payment) => scaTargetIdOf(payment) === targetId)
    const tokenSubject = {
      partnerId,
      consentId: requireConsentIdOf(session),
      ...(first && { paymentId: first.paymentId }),
    }
    const result = withValidTokens(context, tokenSubject, async () =>
      call(await scaStepTarget(context, approval, session, targetId)),
    )
    return await result.catch(async (error: unknown) => {
      if (isBankError(error, 'expired-resource')) {
        await pollOrders(context, approval, targetId)
      }
      throw error
    })
  }
  return {
    begin: async (context, session, { targetId }, request) =>
      await withScaTarget(context, { ...session, targetId }, (target) => target.start(session.psu, request)),
    read: async (context, session, { targetId, authorisationId }) =>
      await withScaTarget(context, { ...session, targetId }, (target) => target.read(authorisationId)),
    complete: async (context, session, { targetId, authorisationId }, callback) =>
      await withScaTarget(context, { ...session, targetId }, (target) => target.complete(authorisationId, callback)),
    readTargetState: async (context, session, { targetId }) =>
      await withScaTarget(context, { ...session, targetId }, (target) => target.readTargetState()),
    ended: async (context, session, outcome) => {
      const approval = await find(context, session)
      return approval === undefined ? outcome : await completeApproval(context, approval, session, outcome)
    },
    onLateSignature: async (context, session, { targetId }) => {
      const approval = await find(context, session)
      if (approval !== undefined) {
        await recordLateSignature(context, approval, targetId)
      }
    },
    notified: async (context, { partnerId }, { targetType, targetId }) => {
      // The orders of a basket have notification URIs of their own.
      if (targetType === 'payment') {
        await pollOnNotification(context, { partnerId, id: targetId })
      }
    },
    partiesOfSession: scaPartiesOf,
  }
}

/** An authorisation that expired at the bank has ended before: the order shows how. */
async function pollOrders(context: Context, { partnerId, payments }: Approval, targetId: string): Promise<void> {
  const ids = payments.filter((payment) => scaTargetIdOf(payment) === targetId).map(({ paymentId }) => paymentId)
  for (const payment of (await findOrdersOf(context, partnerId, ids)).slice(0, READ_AT_ONCE_MAX)) {
    await pollPayment(context, payment)
  }
}

type ScaSessionRef = Pick<ScaStartContext, 'partnerId' | 'consentId' | 'subjectId'>
