/** The signing basket operations, one per line. */
import { isUnconfirmed } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { authorisationRoutes } from '../authorisations/routes.ts'
import { creationAnswer } from '../authorisations/start-authorisation.ts'
import type { Context } from '../context.ts'
import { type Basket, basketPath, shownBasketStatus } from '../payments/basket.ts'
import { basketById, deleteBasket, lockBasket, paymentsIn } from '../payments/basket-store.ts'
import { idParameterOf, route, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { type CreatedBasket, createBasket, requireBaskets } from './create-basket.ts'

const COLLECTION = '/signing-baskets'
const ONE = `${COLLECTION}/:basketId`

export function basketRoutes(context: Context): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requireBasket(context, call)
  return [
    route('POST', COLLECTION, 'createSigningBasket', async (call) =>
      created(context, call, await createBasket(context, call)),
    ),
    route('GET', ONE, 'getSigningBasket', async (call) => await details(context, await find(call))),
    route('GET', `${ONE}/status`, 'getSigningBasketStatus', async (call) => await status(context, await find(call))),
    route('DELETE', ONE, 'deleteSigningBasket', async (call) => await remove(context, await find(call))),
    ...authorisationRoutes(context, { subject: 'basket', path: ONE, find }),
  ]
}

async function requireBasket(context: Context, call: Xs2aCall): Promise<Basket> {
  requireBaskets(call.bank)
  const unknown = () => xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank knows no such basket')
  const basket = await basketById(context.database.query, call.bank.bic, idParameterOf(call, 'basketId', unknown))
  if (basket === undefined) {
    throw unknown()
  }
  return basket
}

function created(context: Context, call: Xs2aCall, { basket, started }: CreatedBasket): Xs2aAnswer {
  const body = { transactionStatus: basket.status, basketId: basket.id }
  return creationAnswer(context, call, basketPath(basket), { body, started })
}

async function details(context: Context, basket: Basket): Promise<Xs2aAnswer> {
  const payments = await paymentsIn(context.database.query, basket.id)
  const transactionStatus = shownBasketStatus(basket, payments)
  // The standard has no empty lists here.
  const held = payments.length === 0 ? {} : { payments: payments.map(({ id }) => id) }
  return { status: 200, body: { ...held, transactionStatus } }
}

async function status(context: Context, basket: Basket): Promise<Xs2aAnswer> {
  const payments = await paymentsIn(context.database.query, basket.id)
  return { status: 200, body: { transactionStatus: shownBasketStatus(basket, payments) } }
}

/** Deletes an unsigned basket, even if its SCA page is open; its payments remain as single payments. */
async function remove(context: Context, found: Basket): Promise<Xs2aAnswer> {
  await context.database.query.transaction().execute(async (transaction) => {
    const basket = await lockBasket(transaction, found.id)
    const authorisations = await authorisationsOf(transaction, 'basket', found.id)
    const isFree = basket?.status === 'RCVD' || basket?.status === 'RJCT'
    if (basket !== undefined && (!isFree || authorisations.some(isUnconfirmed))) {
      throw xs2aError(409, 'STATUS_INVALID', 'The basket is signed')
    }
    await deleteBasket(transaction, found.id)
  })
  return { status: 204 }
}
