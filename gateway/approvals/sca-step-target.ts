/** Finds the target of an SCA step at its bank: a payment or a basket, behind one interface. */

import type { ScaStartContext, TargetScaState } from '../authorisations/sca-session.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isResourceGone } from '../banks/connector/bank-error-classification.ts'
import type { OrderOperations } from '../banks/connector/connector.ts'
import type { StatusObservation } from '../banks/connector/order-at-bank.ts'
import type {
  AuthorisationCallback,
  AuthorisationReference,
  AuthorisationRequest,
  AuthorisationState,
  BankTokens,
  StartedAuthorisation,
} from '../banks/connector/sca-authorisation.ts'
import { storeBankTokens } from '../consents/tokens/bank-tokens.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { type AcknowledgedPayment, isAcknowledged, isOpenForSigning } from '../orders/payment.ts'
import { orderLookupOf } from '../orders/status/order-lookup.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { type Approval, scaTargetIdOf } from './approval.ts'
import { bankBasket } from './baskets/bank-basket.ts'
import { type SignerContext, signerContext } from './signer-context.ts'

/** The target of an SCA step, with its authorisation calls. */
export type ScaStepTarget = {
  start(psu: PsuSession | null, request: AuthorisationRequest): Promise<StartedAuthorisation>
  read(authorisationId: string): Promise<AuthorisationState>
  /** Returns true if the bank issued tokens, which are stored. */
  complete(authorisationId: string, callback: AuthorisationCallback): Promise<boolean>
  /** Derives the state from the orders once the bank has deleted the authorisation. */
  readTargetState(): Promise<TargetScaState>
}

type ScaSessionRef = Pick<ScaStartContext, 'partnerId' | 'consentId'>

/** Calls to the bank are made as the user who signs. */
export async function scaStepTarget(
  context: Context,
  approval: Approval,
  session: ScaSessionRef,
  targetId: string,
): Promise<ScaStepTarget> {
  const approved = approval.payments.filter((payment) => scaTargetIdOf(payment) === targetId)
  const ids = approved.map(({ paymentId }) => paymentId)
  const payments = (await findOrdersOf(context, approval.partnerId, ids)).filter(isAcknowledged)
  const [first] = payments
  if (first === undefined) {
    throw new Error(`No acknowledged order of target ${targetId} of approval ${approval.id} exists`)
  }
  const at = await signerContext(context, { ...session, paymentId: first.id })
  const partlySigned = approved.some((payment) => payment.partlySigned)
  const isBasket = approved.some(({ basketId }) => basketId !== null)
  return isBasket
    ? basketTarget(context, { at, approval, basketId: targetId, partlySigned, payments })
    : paymentTarget(context, at, first, partlySigned)
}

function paymentTarget(
  context: Context,
  at: SignerContext,
  payment: AcknowledgedPayment,
  partlySigned: boolean,
): ScaStepTarget {
  const { caller } = at
  const { authorisations } = ordersOf(context, at, payment)
  const referenceTo = (authorisationId: string): AuthorisationReference => ({ authorisationId, partlySigned })
  return {
    start: (psu, request) => authorisations.start({ ...caller, psu }, payment, request),
    read: (id) => authorisations.read(caller, payment, referenceTo(id)),
    complete: async (id, callback) => {
      const tokens = await authorisations.complete(caller, payment, referenceTo(id), callback)
      return await storeTokensOfOrders(context, [payment], tokens)
    },
    readTargetState: () => readOrders(context, at, [payment]),
  }
}

type BasketStep = {
  readonly at: SignerContext
  readonly approval: Approval
  readonly basketId: string
  readonly partlySigned: boolean
  readonly payments: readonly AcknowledgedPayment[]
}

function basketTarget(context: Context, step: BasketStep): ScaStepTarget {
  const { at, approval, basketId, partlySigned, payments } = step
  const { connector, caller } = at
  const authorisations = connector.baskets?.authorisations
  if (authorisations === undefined) {
    throw new BankError('unsupported-product', `The bank ${at.bank.bic} does not sign payments together any more`)
  }
  const baskets = bankBasket(context, at, { ...approval, id: basketId, approvalId: approval.id })
  const referenceTo = (authorisationId: string): AuthorisationReference => ({ authorisationId, partlySigned })
  return {
    start: async (psu, request) => {
      const user = { ...caller, psu }
      const bankBasketId = await baskets.make(user, payments.filter(isOpenForSigning), request.back)
      return await authorisations.start(user, bankBasketId, request)
    },
    read: async (id) => await authorisations.read(caller, await baskets.find(), referenceTo(id)),
    complete: async (id, callback) => {
      const tokens = await authorisations.complete(caller, await baskets.find(), referenceTo(id), callback)
      return await storeTokensOfOrders(context, payments, tokens)
    },
    readTargetState: () => readOrders(context, at, payments),
  }
}

/** The orders are polled with these tokens from then on. */
async function storeTokensOfOrders(
  context: Context,
  payments: readonly AcknowledgedPayment[],
  tokens: BankTokens | null,
): Promise<boolean> {
  const partnerId = payments[0]?.partnerId ?? ''
  return await storeBankTokens(context, { partnerId, subjectIds: payments.map(({ id }) => id) }, tokens)
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
      return { state: 'cancelled', scaStatus: `forgotten, order ${lastBankStatus}`, text: null }
    }
  }
  return { state: 'signed', scaStatus: `forgotten, order ${lastBankStatus}`, text: null }
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

function ordersOf(context: Context, { bank, connector }: SignerContext, payment: AcknowledgedPayment): OrderOperations {
  const orders = orderLookupOf(context, payment, connector)
  if (orders === undefined) {
    throw new BankError('unavailable', `The bank ${bank.bic} does not serve payments at the moment`)
  }
  return orders
}
