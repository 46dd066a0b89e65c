/** Finds what a step of an approval signs at its bank, a payment or a basket, in the same words for both. */

import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import type { OrdersAtBank } from '../banks/connector/connector.ts'
import type { StatusObservation } from '../banks/connector/order-at-bank.ts'
import type {
  AuthorisationAsked,
  AuthorisationState,
  BankTokens,
  BegunAuthorisation,
  BroughtBack,
  StartedAuthorisation,
} from '../banks/connector/sca-authorisation.ts'
import { keepBankTokens } from '../consents/tokens/bank-tokens.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { type HeldPayment, isHeld, isOpenForSigning } from '../orders/payment.ts'
import { ordersLike } from '../orders/status/order-lookup.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import type { ForgottenState, SigningBegun } from '../signing/signing.ts'
import { type Approval, targetOf } from './approval.ts'
import { basketAtBank } from './basket-at-bank.ts'
import { type SignerAtBank, signerAtBank } from './signer-at-bank.ts'

/** What is signed, and how its bank is asked about that. */
export type StepTarget = {
  start(psu: PsuSession | null, asked: AuthorisationAsked): Promise<StartedAuthorisation>
  read(authorisationId: string): Promise<AuthorisationState>
  /** True when the bank gave tokens for it, which are kept. */
  complete(authorisationId: string, brought: BroughtBack): Promise<boolean>
  /** What the orders themselves tell once the authorisation is forgotten. */
  readForgotten(): Promise<ForgottenState>
}

type OfSigning = Pick<SigningBegun, 'partnerId' | 'consentId'>

/** The target of a step of the approval. The bank is asked as the user who signs. */
export async function stepTarget(
  context: Context,
  approval: Approval,
  signing: OfSigning,
  targetId: string,
): Promise<StepTarget> {
  const approved = approval.payments.filter((payment) => targetOf(payment) === targetId)
  const ids = approved.map(({ paymentId }) => paymentId)
  const payments = (await findOrdersOf(context, approval.partnerId, ids)).filter(isHeld)
  const [first] = payments
  if (first === undefined) {
    throw new Error(`Nothing that ${targetId} of approval ${approval.id} signs is there`)
  }
  const at = await signerAtBank(context, { ...signing, paymentId: first.id })
  const partlySigned = approved.some((payment) => payment.partlySigned)
  const isBasket = approved.some(({ basketId }) => basketId !== null)
  return isBasket
    ? basketTarget(context, { at, approval, basketId: targetId, partlySigned, payments })
    : paymentTarget(context, at, first, partlySigned)
}

function paymentTarget(context: Context, at: SignerAtBank, payment: HeldPayment, partlySigned: boolean): StepTarget {
  const { caller } = at
  const { authorisations } = ordersOf(context, at, payment)
  const begun = (authorisationId: string): BegunAuthorisation => ({ authorisationId, partlySigned })
  return {
    start: (psu, asked) => authorisations.start({ ...caller, psu }, payment, asked),
    read: (id) => authorisations.read(caller, payment, begun(id)),
    complete: async (id, brought) => {
      const tokens = await authorisations.complete(caller, payment, begun(id), brought)
      return await keepTokensOf(context, [payment], tokens)
    },
    readForgotten: () => readOrders(context, at, [payment]),
  }
}

type BasketStep = {
  readonly at: SignerAtBank
  readonly approval: Approval
  readonly basketId: string
  readonly partlySigned: boolean
  readonly payments: readonly HeldPayment[]
}

function basketTarget(context: Context, step: BasketStep): StepTarget {
  const { at, approval, basketId, partlySigned, payments } = step
  const { connector, caller } = at
  const authorisations = connector.baskets?.authorisations
  if (authorisations === undefined) {
    throw new BankRefusal('unsupported-product', `The bank ${at.bank.bic} signs no payments together any more`)
  }
  const baskets = basketAtBank(context, at, { ...approval, id: basketId, approvalId: approval.id })
  const begun = (authorisationId: string): BegunAuthorisation => ({ authorisationId, partlySigned })
  return {
    start: async (psu, asked) => {
      const user = { ...caller, psu }
      const bankBasketId = await baskets.make(user, payments.filter(isOpenForSigning), asked.back)
      return await authorisations.start(user, bankBasketId, asked)
    },
    read: async (id) => await authorisations.read(caller, await baskets.find(), begun(id)),
    complete: async (id, brought) => {
      const tokens = await authorisations.complete(caller, await baskets.find(), begun(id), brought)
      return await keepTokensOf(context, payments, tokens)
    },
    readForgotten: () => readOrders(context, at, payments),
  }
}

/** The orders are read with them from then on. */
async function keepTokensOf(
  context: Context,
  payments: readonly HeldPayment[],
  tokens: BankTokens | null,
): Promise<boolean> {
  const partnerId = payments[0]?.partnerId ?? ''
  return await keepBankTokens(context, { partnerId, subjectIds: payments.map(({ id }) => id) }, tokens)
}

/**
 * Whoever signs a basket signs all that is in it: only where every order moved on was it signed, because one alone may
 * have been signed by itself. One that waits, for another signature perhaps, shows none of this user's.
 */
async function readOrders(
  context: Context,
  at: SignerAtBank,
  payments: readonly HeldPayment[],
): Promise<ForgottenState> {
  let word = ''
  for (const payment of payments) {
    const { status, bankStatus } = await readOrder(context, at, payment)
    word = bankStatus
    if (status !== 'InProgress' && status !== 'Completed') {
      return { state: 'cancelled', scaStatus: `forgotten, order ${word}`, text: null }
    }
  }
  return { state: 'signed', scaStatus: `forgotten, order ${word}`, text: null }
}

async function readOrder(
  context: Context,
  at: SignerAtBank,
  payment: HeldPayment,
): Promise<Pick<StatusObservation, 'status' | 'bankStatus'>> {
  try {
    return await ordersOf(context, at, payment).read(at.caller, payment, { signed: false })
  } catch (error) {
    if (isGone(error)) {
      return { status: null, bankStatus: 'gone' }
    }
    throw error
  }
}

function ordersOf(context: Context, { bank, connector }: SignerAtBank, payment: HeldPayment): OrdersAtBank {
  const orders = ordersLike(context, payment, connector)
  if (orders === undefined) {
    throw new BankRefusal('unavailable', `The bank ${bank.bic} serves no payments at this moment`)
  }
  return orders
}
