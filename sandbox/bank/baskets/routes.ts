/** The signing basket operations, one per line. */

import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isId, newId } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow } from '../../rows.ts'
import { isUnconfirmed } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { authorisationRoutes } from '../authorisations/routes.ts'
import { creationAnswer, startImplicitAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay, endOfDay } from '../bank-calendar.ts'
import { type Context, inTransaction } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { accountOf } from '../fixture-lookup.ts'
import { type Basket, basketPath, shownBasketStatus } from '../payments/basket.ts'
import { addPaymentsToBasket, deleteBasket, lockPaymentsByIds, paymentsIn } from '../payments/basket-store.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { requireKnownUser } from '../require-known-user.ts'
import {
  idParameterOf,
  ok,
  requestOriginColumns,
  requireUserPresent,
  route,
  type Xs2aAnswer,
  type Xs2aCall,
  type Xs2aRoute,
} from '../xs2a/xs2a-call.ts'
import { errorUnless, requireBody, throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'

const COLLECTION = '/signing-baskets'
const ONE = `${COLLECTION}/:basketId`

export function basketRoutes(context: Context): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requireBasket(context, call)
  return [
    route('POST', COLLECTION, 'createSigningBasket', async (call) => await createBasket(context, call)),
    route('GET', ONE, 'getSigningBasket', async (call) => await details(context, await find(call))),
    route('GET', `${ONE}/status`, 'getSigningBasketStatus', async (call) => await status(context, await find(call))),
    route('DELETE', ONE, 'deleteSigningBasket', async (call) => await remove(context, await find(call))),
    ...authorisationRoutes(context, { subject: 'basket', path: ONE, find }),
  ]
}

async function requireBasket(context: Context, call: Xs2aCall): Promise<Basket> {
  requireBaskets(call.bank)
  const unknown = () => xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank knows no such basket')
  const basket = await findRow(context, 'baskets', {
    id: idParameterOf(call, 'basketId', unknown),
    bank: call.bank.bic,
  })
  if (basket === undefined) {
    throw unknown()
  }
  return basket
}

async function details(context: Context, basket: Basket): Promise<Xs2aAnswer> {
  const payments = await paymentsIn(context, basket.id)
  const transactionStatus = shownBasketStatus(basket, payments)
  // The standard has no empty lists here.
  const held = payments.length === 0 ? {} : { payments: payments.map(({ id }) => id) }
  return ok({ ...held, transactionStatus })
}

async function status(context: Context, basket: Basket): Promise<Xs2aAnswer> {
  const payments = await paymentsIn(context, basket.id)
  return ok({ transactionStatus: shownBasketStatus(basket, payments) })
}

/** Deletes an unsigned basket, even if its SCA page is open; its payments remain as single payments. */
async function remove(context: Context, found: Basket): Promise<Xs2aAnswer> {
  await inTransaction(context, async (context) => {
    const basket = await findRow(context, 'baskets', { id: found.id }, { lock: true })
    const authorisations = await authorisationsOf(context, 'basket', found.id)
    const isFree = basket?.status === 'RCVD' || basket?.status === 'RJCT'
    if (basket !== undefined && (!isFree || authorisations.some(isUnconfirmed))) {
      throw xs2aError(409, 'STATUS_INVALID', 'The basket is signed')
    }
    await deleteBasket(context, found.id)
  })
  return { status: 204 }
}

const requestCheck = Compile(
  Type.Object({
    paymentIds: Type.Array(Type.String(), { minItems: 1 }),
    consentIds: Type.Optional(Type.Array(Type.String())),
  }),
)
const PATH = 'paymentIds'

/** Creates a basket; unless the third party requests explicit start, its authorisation is started at once. */
async function createBasket(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { bank } = call
  requireBaskets(bank)
  requireUserPresent(call)
  const ids = readPaymentIds(bank, call.body)
  requireKnownUser(context, call)
  return await inTransaction(context, async (context) => {
    const payments = await lockPaymentsByIds(context, bank.bic, ids)
    requireCompatiblePayments(context, payments, ids)
    requireSameService(bank, payments)
    const basket = await storeBasket(context, call)
    await addPaymentsToBasket(context, basket.id, ids)
    const path = basketPath(basket)
    const started = await startImplicitAuthorisation(context, call, {
      subject: 'basket',
      path,
      resource: basket,
    })
    const body = { transactionStatus: basket.status, basketId: basket.id }
    return creationAnswer(context, call, path, { body, started })
  })
}

/** Rejects the call where the bank has no baskets. */
function requireBaskets(bank: BankProfile): void {
  if (bank.basketMax === null) {
    throw xs2aError(405, 'SERVICE_INVALID', `${bank.name} does not offer signing-baskets`)
  }
}

function readPaymentIds({ basketMax }: BankProfile, body: unknown): readonly string[] {
  const { paymentIds, consentIds } = requireBody(requestCheck, body)
  if (consentIds !== undefined) {
    throw xs2aError(400, 'PARAMETER_NOT_SUPPORTED', 'Consents cannot be signed in baskets', 'consentIds')
  }
  const ids = paymentIds.map((id) => id.toLowerCase())
  throwIfAnyMessage([
    ...errorUnless(new Set(ids).size === ids.length, PATH, 'A payment is listed twice'),
    ...errorUnless(ids.length <= (basketMax ?? 0), PATH, `A basket may have ${basketMax} payments at most`),
  ])
  if (!ids.every(isId)) {
    throw xs2aError(400, 'RESOURCE_UNKNOWN', 'The bank knows no such payment', PATH)
  }
  return ids
}

/** Some banks do not accept cross-border payments in baskets. */
function requireSameService(bank: BankProfile, payments: readonly Payment[]): void {
  if (bank.basketDomesticOnly && payments.some(({ rail }) => rail === 'cross-border')) {
    throw xs2aError(400, 'REFERENCE_MIX_INVALID', 'A basket may have domestic payments only', PATH)
  }
  if (bank.bulk?.inBaskets !== true && payments.some(isBulk)) {
    throw xs2aError(400, 'REFERENCE_MIX_INVALID', 'A basket may have single payments only', PATH)
  }
}

/** Rejects payments that are unknown, authorised or final, in another basket, or of several companies. */
function requireCompatiblePayments({ fixture }: Context, payments: readonly Payment[], ids: readonly string[]): void {
  if (payments.length < ids.length) {
    throw xs2aError(400, 'RESOURCE_UNKNOWN', 'The bank knows no such payment', PATH)
  }
  if (payments.some((payment) => !maySign(payment) || payment.status === 'PATC' || payment.basket_id !== null)) {
    throw xs2aError(409, 'REFERENCE_STATUS_INVALID', 'A payment is signed, has ended or is in another basket', PATH)
  }
  const owners = payments.map(({ bank, debtor }) => accountOf(fixture, bank, debtor)?.owner)
  if (new Set(owners).size > 1) {
    throw xs2aError(400, 'REFERENCE_MIX_INVALID', 'The payments are of several companies', PATH)
  }
}

async function storeBasket(context: Context, call: Xs2aCall): Promise<Basket> {
  const now = context.clock.now()
  return await insertRow(context, 'baskets', {
    id: newId(),
    bank: call.bank.bic,
    status: 'RCVD',
    ...requestOriginColumns(call),
    created_at: now.toString(),
    due_at: endOfDay(call.bank, businessDay(call.bank, now)).toString(),
  })
}
