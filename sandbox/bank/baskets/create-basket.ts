/** Creates a signing basket for payments of one company. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isId, newId } from '../../../gateway/platform/ids.ts'
import { type StartedAuthorisation, startImplicitAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { accountOf } from '../fixture-lookup.ts'
import { type Basket, basketPath } from '../payments/basket.ts'
import { addPaymentsToBasket, insertBasket, lockPaymentsByIds } from '../payments/basket-store.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { requireKnownUser } from '../require-known-user.ts'
import { requestOriginColumns } from '../xs2a/request-origin.ts'
import { requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { formatErrorMessage, schemaErrorMessages, throwIfAnyMessage, Xs2aError, xs2aError } from '../xs2a-error.ts'

export type CreatedBasket = { readonly basket: Basket; readonly started: StartedAuthorisation | null }

const BasketRequest = Type.Object({
  paymentIds: Type.Array(Type.String(), { minItems: 1 }),
  consentIds: Type.Optional(Type.Array(Type.String())),
})
const requestCheck = Compile(BasketRequest)
const PATH = 'paymentIds'

/** Creates a basket; unless the third party requests explicit start, its authorisation is started at once. */
export async function createBasket(context: Context, call: Xs2aCall): Promise<CreatedBasket> {
  const { bank, headers } = call
  requireBaskets(bank)
  requireUserPresent(call)
  const ids = readPaymentIds(bank, call.body)
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  }
  return await context.database.query.transaction().execute(async (transaction) => {
    const payments = await lockPaymentsByIds(transaction, bank.bic, ids)
    requireCompatiblePayments(context, payments, ids)
    requireSameService(bank, payments)
    const basket = await storeBasket(context, transaction, call)
    await addPaymentsToBasket(transaction, basket.id, ids)
    const requested = { bank, subject: 'basket', headers, targetPath: basketPath(basket) } as const
    return { basket, started: await startImplicitAuthorisation(context, transaction, requested, basket) }
  })
}

/** Rejects the call where the bank has no baskets. */
export function requireBaskets(bank: BankProfile): void {
  if (bank.basketMax === null) {
    throw xs2aError(405, 'SERVICE_INVALID', `${bank.name} does not offer signing-baskets`)
  }
}

function readPaymentIds({ basketMax }: BankProfile, body: unknown): readonly string[] {
  const { paymentIds, consentIds } = readRequest(body)
  if (consentIds !== undefined) {
    throw xs2aError(400, 'PARAMETER_NOT_SUPPORTED', 'Consents cannot be signed in baskets', 'consentIds')
  }
  const ids = paymentIds.map((id) => id.toLowerCase())
  throwIfAnyMessage([
    ...(new Set(ids).size < ids.length ? [formatErrorMessage(PATH, 'A payment is listed twice')] : []),
    ...(ids.length > (basketMax ?? 0)
      ? [formatErrorMessage(PATH, `A basket may have ${basketMax} payments at most`)]
      : []),
  ])
  if (!ids.every(isId)) {
    throw xs2aError(400, 'RESOURCE_UNKNOWN', 'The bank knows no such payment', PATH)
  }
  return ids
}

function readRequest(body: unknown): Static<typeof BasketRequest> {
  if (requestCheck.Check(body)) {
    return body
  }
  throw new Xs2aError(400, schemaErrorMessages(requestCheck.Errors(body)))
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

async function storeBasket(context: Context, transaction: BankTransaction, call: Xs2aCall): Promise<Basket> {
  const now = context.clock.now()
  return await insertBasket(transaction, {
    id: newId(),
    bank: call.bank.bic,
    status: 'RCVD',
    ...requestOriginColumns(call),
    created_at: now.toString(),
    due_at: signingDeadline(call.bank, now).toString(),
  })
}

/** A basket expires like an unsigned payment, and at the end of the day at the latest. */
function signingDeadline(bank: BankProfile, now: Temporal.Instant): Temporal.Instant {
  const { minutes } = bank.unsignedLifetime
  return minutes === null ? endOfDay(bank, businessDay(bank, now)) : now.add({ minutes })
}
