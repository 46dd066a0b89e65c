/** Implements SCA for approvals: makes the bank calls of each step, and completes the approval with the outcome. */

import { isSigned, type ScaStartContext, type ScaSubject, type TargetScaState } from '../authorisations/sca-session.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isBankError, isResourceGone } from '../banks/connector/bank-error-classification.ts'
import type { StatusObservation } from '../banks/connector/bank-order.ts'
import type { Authorisations, OrderOperations } from '../banks/connector/connector.ts'
import type { AuthorisationRequest, StartedAuthorisation } from '../banks/connector/sca-authorisation.ts'
import type { Consent } from '../consents/consent.ts'
import { scaPartiesOf } from '../consents/sca-parties.ts'
import { storeBankTokens } from '../consents/tokens/bank-tokens.ts'
import { withTokenRetry } from '../consents/tokens/with-token-retry.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { pollOnNotification } from '../orders/handle-payment-notification.ts'
import { type AcknowledgedPayment, isAcknowledged, isOpenForSigning, type Payment } from '../orders/payment.ts'
import { orderLookupOf } from '../orders/status/order-lookup.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { type Approval, scaTargetIdOf, signingDeadlineOf } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { ensureBankBasket, requireBankBasketId } from './baskets/bank-basket.ts'
import { completeApproval, recordLateSignature } from './complete-approval.ts'
import { findEarlierSignatures } from './find-earlier-signatures.ts'
import { requireSigner, type SignerContext, signerContext } from './signer-context.ts'

/** The sweep polls the rest of a large basket. */
const POLLED_AT_ONCE_MAX = 10

export const approvalScaSubject: ScaSubject = {
  begin: async (context, session, { targetId }, request) =>
    await beginAuthorisation(context, await findTarget(context, session, targetId), session.psu, request),
  signBy: async (context, session) => {
    const approval = await findApproval(context.database, { partnerId: session.partnerId, id: session.subjectId })
    const unsigned = new Set(session.steps.filter((step) => !isSigned(step)).map(({ targetId }) => targetId))
    const approved = approval?.payments.filter((payment) => unsigned.has(scaTargetIdOf(payment))) ?? []
    const ids = approved.map(({ paymentId }) => paymentId)
    return signingDeadlineOf(await findOrdersOf(context, session.partnerId, ids))
  },
  read: async (context, session, { targetId, authorisationId }) => {
    const target = await findTarget(context, session, targetId)
    const begun = { authorisationId, partlySigned: target.partlySigned }
    return await callAsSigner(context, target, async (at) =>
      target.basketId === null
        ? await ordersOf(context, at, target.payments[0]).authorisations.read(at.caller, target.payments[0], begun)
        : await basketAuthorisationsOf(at).read(at.caller, await bankBasketIdOf(context, target), begun),
    )
  },
  selectMethod: async (context, session, { targetId, authorisationId }, methodId) => {
    const target = await findTarget(context, session, targetId)
    const begun = { authorisationId }
    const [first] = target.payments
    return await callAsSigner(context, target, async (at) => {
      const user = { ...at.caller, psu: session.psu }
      return target.basketId === null
        ? await ordersOf(context, at, first).authorisations.selectMethod?.(user, first, begun, methodId)
        : await basketAuthorisationsOf(at).selectMethod?.(user, await bankBasketIdOf(context, target), begun, methodId)
    })
  },
  complete: async (context, session, { targetId, authorisationId }, callback) => {
    const target = await findTarget(context, session, targetId)
    const begun = { authorisationId, partlySigned: target.partlySigned }
    const [first] = target.payments
    const tokens = await callAsSigner(context, target, async (at) =>
      target.basketId === null
        ? await ordersOf(context, at, first).authorisations.complete(at.caller, first, begun, callback)
        : await basketAuthorisationsOf(at).complete(at.caller, await bankBasketIdOf(context, target), begun, callback),
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
    const approval = await findApproval(context.database, { partnerId: session.partnerId, id: session.subjectId })
    return approval === undefined ? outcome : await completeApproval(context, approval, session, outcome)
  },
  onLateSignature: async (context, session, { targetId }) => {
    const approval = await findApproval(context.database, { partnerId: session.partnerId, id: session.subjectId })
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

/** What one authorisation signs, and as whom: a payment, or the payments of a basket. */
export type AuthorisedTarget = {
  readonly partnerId: string
  readonly approvalId: string
  /** Null for a payment that is signed separately. */
  readonly basketId: string | null
  /** Whether another user had signed before. */
  readonly partlySigned: boolean
  readonly payments: readonly [AcknowledgedPayment, ...AcknowledgedPayment[]]
  readonly signer: Consent
}

/** The target of an approval, given its orders. */
export function authorisedTargetOf(
  { partnerId, id: approvalId, payments: approvedPayments }: Approval,
  signer: Consent,
  targetId: string,
  orders: readonly Payment[],
): AuthorisedTarget {
  const approved = approvedPayments.filter((payment) => scaTargetIdOf(payment) === targetId)
  const ids = new Set(approved.map(({ paymentId }) => paymentId))
  const [first, ...others] = orders.filter(({ id }) => ids.has(id)).filter(isAcknowledged)
  if (first === undefined) {
    throw new Error(`No acknowledged order of target ${targetId} of approval ${approvalId} exists`)
  }
  return {
    partnerId,
    approvalId,
    basketId: approved[0]?.basketId ?? null,
    partlySigned: approved.some((payment) => payment.partlySigned),
    payments: [first, ...others],
    signer,
  }
}

/** Starts the authorisation of a target, whose approval need not be stored yet; a basket is created first. */
export async function beginAuthorisation(
  context: Context,
  target: AuthorisedTarget,
  psu: PsuSession | null,
  request: AuthorisationRequest,
): Promise<StartedAuthorisation> {
  const { payments } = target
  return await callAsSigner(context, target, async (at) => {
    const user = { ...at.caller, psu }
    if (target.basketId === null) {
      return await ordersOf(context, at, payments[0]).authorisations.start(user, payments[0], request)
    }
    const authorisations = basketAuthorisationsOf(at)
    const { partnerId, approvalId, basketId: id, signer } = target
    const basket = { partnerId, id, consentId: signer.id, approvalId }
    const creation = { user, payments: payments.filter(isOpenForSigning), back: request.back }
    return await authorisations.start(user, await ensureBankBasket(context, at, basket, creation), request)
  })
}

async function findTarget(
  context: Context,
  session: Pick<ScaStartContext, 'partnerId' | 'consentId' | 'subjectId'>,
  targetId: string,
): Promise<AuthorisedTarget> {
  const { partnerId, subjectId } = session
  const approval = await findApproval(context.database, { partnerId, id: subjectId })
  if (approval === undefined) {
    throw new Error(`SCA session refers to approval ${subjectId}, which does not exist`)
  }
  const approved = approval.payments.filter((payment) => scaTargetIdOf(payment) === targetId)
  const ids = approved.map(({ paymentId }) => paymentId)
  const orders = await findOrdersOf(context, partnerId, ids)
  return authorisedTargetOf(approval, await requireSigner(context, session), targetId, orders)
}

/** An authorisation that expired at the bank has ended before: the orders show how. */
async function callAsSigner<Result>(
  context: Context,
  { partnerId, payments, signer }: AuthorisedTarget,
  call: (at: SignerContext) => Promise<Result>,
): Promise<Result> {
  const paymentId = payments[0].id
  const tokenSubject = { partnerId, consentId: signer.id, service: 'PIS', paymentId } as const
  try {
    return await withTokenRetry(context, tokenSubject, async () => call(await signerContext(context, signer, payments)))
  } catch (error) {
    if (isBankError(error, 'expired-resource')) {
      const ids = payments.slice(0, POLLED_AT_ONCE_MAX).map(({ id }) => id)
      for (const payment of await findOrdersOf(context, partnerId, ids)) {
        await pollPayment(context, payment)
      }
    }
    throw error
  }
}

async function bankBasketIdOf(context: Context, { partnerId, basketId }: AuthorisedTarget): Promise<string> {
  return await requireBankBasketId(context, { partnerId, id: basketId ?? '' })
}

function basketAuthorisationsOf({ bank, connector }: SignerContext): Authorisations<string> {
  if (connector.baskets === undefined) {
    throw new BankError('unsupported-product', `The bank ${bank.bic} does not sign payments together any more`)
  }
  return connector.baskets.authorisations
}

function ordersOf(context: Context, { bank, connector }: SignerContext, payment: AcknowledgedPayment): OrderOperations {
  const orders = orderLookupOf(context, payment, connector)
  if (orders === undefined) {
    throw new BankError('unavailable', `The bank ${bank.bic} does not serve payments at the moment`)
  }
  return orders
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
    return await ordersOf(context, at, payment).read(at.caller, payment, { signed: false })
  } catch (error) {
    if (isResourceGone(error)) {
      return { status: null, bankStatus: 'gone' }
    }
    throw error
  }
}
