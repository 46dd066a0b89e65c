/** Implements SCA for approvals: makes the bank calls of each step, and completes the approval with the outcome. */
import {
  isSigned,
  type ScaStartContext,
  type ScaSubject,
  type TargetScaState,
} from '../../authorisations/sca-session.ts'
import { isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import type { AuthorisationRequest, StartedAuthorisation } from '../../banks/connector/sca-authorisation.ts'
import { scaPartiesOf } from '../../consents/consent-lookup.ts'
import { storeBankTokens } from '../../consents/tokens/bank-tokens.ts'
import type { Context } from '../../context.ts'
import type { PsuSession } from '../../platform/http/operations/served-operation.ts'
import { findOrdersOf } from '../find-orders.ts'
import { pollOnNotification } from '../handle-payment-notification.ts'
import { type AcknowledgedPayment, isOpenForSigning } from '../payment.ts'
import { requireOrderOperations } from '../status/bank-access.ts'
import { type Approval, scaTargetIdOf, signingDeadlineOf } from './approval.ts'
import { findApproval } from './approval-store.ts'
import {
  type AuthorisedTarget,
  authorisedTargetOf,
  basketsOf,
  callAsSigner,
  requireSigner,
  type SignerContext,
  withAuthorisations,
} from './authorised-target.ts'
import { ensureBankBasket } from './baskets/bank-basket.ts'
import { completeApproval, recordLateSignature } from './complete-approval.ts'
import { findEarlierSignatures } from './earlier-signatures.ts'

export const approvalScaSubject: ScaSubject = {
  begin: async (context, session, { targetId }, request) =>
    await beginAuthorisation(context, await findTarget(context, session, targetId), session.psu, request),
  signBy: async (context, session) => {
    const approval = await approvalOf(context, session)
    const unsigned = new Set(session.steps.filter((step) => !isSigned(step)).map(({ targetId }) => targetId))
    const approved = approval?.payments.filter((payment) => unsigned.has(scaTargetIdOf(payment))) ?? []
    return signingDeadlineOf(await findOrdersOf(context, session.partnerId, approved))
  },
  read: async (context, session, { targetId, authorisationId }) => {
    const target = await findTarget(context, session, targetId)
    const begun = { authorisationId, partlySigned: target.partlySigned }
    return await withAuthorisations(context, target, ({ authorisations, caller, signed }) =>
      authorisations.read(caller, signed, begun),
    )
  },
  selectMethod: async (context, session, { targetId, authorisationId }, methodId) => {
    const target = await findTarget(context, session, targetId)
    return await withAuthorisations(context, target, async ({ authorisations, caller, signed }) =>
      authorisations.selectMethod?.({ ...caller, psu: session.psu }, signed, { authorisationId }, methodId),
    )
  },
  complete: async (context, session, { targetId, authorisationId }, callback) => {
    const target = await findTarget(context, session, targetId)
    const begun = { authorisationId, partlySigned: target.partlySigned }
    const tokens = await withAuthorisations(context, target, ({ authorisations, caller, signed }) =>
      authorisations.complete(caller, signed, begun, callback),
    )
    // The orders are polled with these tokens from then on.
    const subjectIds = target.payments.map(({ id }) => id)
    return await storeBankTokens(context, { partnerId: session.partnerId, subjectIds }, tokens)
  },
  readTargetState: async (context, session, { targetId }) => {
    const target = await findTarget(context, session, targetId)
    return await callAsSigner(context, target, async (at) => await readOrders(context, at, target.payments))
  },
  ended: async (context, session, outcome) => {
    const approval = await approvalOf(context, session)
    return approval === undefined ? outcome : await completeApproval(context, approval, session, outcome)
  },
  onLateSignature: async (context, session, { targetId }) => {
    const approval = await approvalOf(context, session)
    if (approval !== undefined) {
      await recordLateSignature(context, approval, targetId)
    }
  },
  notified: async (context, { partnerId, targetType, targetId }) => {
    // The orders of a basket have notification URIs of their own.
    if (targetType === 'payment') {
      await pollOnNotification(context, { partnerId, id: targetId })
    }
  },
  partiesOfSession: scaPartiesOf,
  earlierSignatures: findEarlierSignatures,
}

async function approvalOf(
  { database }: Context,
  { partnerId, subjectId: id }: Pick<ScaStartContext, 'partnerId' | 'subjectId'>,
): Promise<Approval | undefined> {
  return await findApproval(database, { partnerId, id })
}

/** Starts the authorisation of a target, whose approval need not be stored yet; a basket is created first. */
export async function beginAuthorisation(
  context: Context,
  target: AuthorisedTarget,
  psu: PsuSession | null,
  request: AuthorisationRequest,
): Promise<StartedAuthorisation> {
  const { payments, partnerId, approvalId, basketId: id, signer } = target
  return await callAsSigner(context, target, async (at) => {
    const user = { ...at.caller, psu }
    if (id === null) {
      return await requireOrderOperations(context, at.bank, payments[0]).authorisations.start(
        user,
        payments[0],
        request,
      )
    }
    const basket = { partnerId, id, consentId: signer.id, approvalId }
    const creation = { user, payments: payments.filter(isOpenForSigning), back: request.back }
    const bankBasketId = await ensureBankBasket(context, at, basket, creation)
    return await basketsOf(context, at.bank, payments).authorisations.start(user, bankBasketId, request)
  })
}

async function findTarget(
  context: Context,
  session: Pick<ScaStartContext, 'partnerId' | 'consentId' | 'subjectId'>,
  targetId: string,
): Promise<AuthorisedTarget> {
  const approval = await approvalOf(context, session)
  if (approval === undefined) {
    throw new Error(`SCA session refers to approval ${session.subjectId}, which does not exist`)
  }
  const approved = approval.payments.filter((payment) => scaTargetIdOf(payment) === targetId)
  const orders = await findOrdersOf(context, session.partnerId, approved)
  return authorisedTargetOf(approval, await requireSigner(context, session), targetId, orders)
}

/**
 * A basket counts as signed only if every order has progressed, because a single order may have been signed separately. An
 * order that waits, perhaps for another signature, does not prove a signature of this user.
 */
async function readOrders(
  context: Context,
  at: SignerContext,
  payments: readonly AcknowledgedPayment[],
): Promise<TargetScaState> {
  let lastBankStatus = ''
  for (const payment of payments) {
    const { status, bankStatus } = await readOrder(context, at, payment)
    lastBankStatus = bankStatus
    if (status !== 'InProgress' && status !== 'Completed') {
      return { state: 'cancelled', scaStatus: `deleted, order ${lastBankStatus}`, text: null }
    }
  }
  return { state: 'signed', scaStatus: `deleted, order ${lastBankStatus}`, text: null }
}

async function readOrder(
  context: Context,
  at: SignerContext,
  payment: AcknowledgedPayment,
): Promise<Pick<StatusObservation, 'status' | 'bankStatus'>> {
  try {
    return await requireOrderOperations(context, at.bank, payment).read(at.caller, payment, { signed: false })
  } catch (error) {
    if (isResourceGone(error)) {
      return { status: null, bankStatus: 'gone' }
    }
    throw error
  }
}
