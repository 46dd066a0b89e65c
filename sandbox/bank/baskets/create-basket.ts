/** Lays payments of one company into a basket, so that its users sign them together. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isId, newId } from '../../../gateway/platform/ids.ts'
import { beginsAtOnce } from '../authorisations/sca-approach.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { isBulk } from '../bulks/bulk-transaction.ts'
import type { BankProfile } from '../fixture.ts'
import { requireKnownUser } from '../known-user.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { formatProblem, refuse, requireNone, Xs2aRefusal } from '../refusal.ts'
import { formProblems } from '../schema-errors.ts'
import { accountOf } from '../world.ts'
import { originOf } from '../xs2a/request-origin.ts'
import { requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type Basket, basketPath } from './basket.ts'
import { insertBasket, layInto, lockPaymentsByIds } from './basket-store.ts'

export type CreatedBasket = { readonly basket: Basket; readonly started: StartedAuthorisation | null }

const BasketRequest = Type.Object({
  paymentIds: Type.Array(Type.String(), { minItems: 1 }),
  consentIds: Type.Optional(Type.Array(Type.String())),
})
const requestCheck = Compile(BasketRequest)
const PATH = 'paymentIds'

/** Creates a basket; unless the third party wants to start the authorisation itself, it is started at once. */
export async function createBasket(context: BankContext, call: Xs2aCall): Promise<CreatedBasket> {
  const { bank, headers } = call
  requireBaskets(bank)
  requireUserPresent(call)
  const ids = readPaymentIds(bank, call.body)
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  }
  return await context.database.query.transaction().execute(async (transaction) => {
    const payments = await lockPaymentsByIds(transaction, bank.bic, ids)
    requireFit(context, payments, ids)
    requireOneKind(bank, payments)
    const basket = await keepBasket(context, transaction, call)
    await layInto(transaction, basket.id, ids)
    const asked = { bank, subject: 'basket', headers, targetPath: basketPath(basket) } as const
    const started = beginsAtOnce(bank, headers) ? await startAuthorisation(context, transaction, asked, basket) : null
    return { basket, started }
  })
}

/** Refuses where the bank has no baskets. */
export function requireBaskets(bank: BankProfile): void {
  if (bank.basketMax === null) {
    throw refuse(405, 'SERVICE_INVALID', `${bank.name} does not offer signing-baskets`)
  }
}

function readPaymentIds({ basketMax }: BankProfile, body: unknown): readonly string[] {
  const { paymentIds, consentIds } = readRequest(body)
  if (consentIds !== undefined) {
    throw refuse(400, 'PARAMETER_NOT_SUPPORTED', 'Consents are signed one by one', 'consentIds')
  }
  const ids = paymentIds.map((id) => id.toLowerCase())
  requireNone([
    ...(new Set(ids).size < ids.length ? [formatProblem(PATH, 'A payment is named twice')] : []),
    ...(ids.length > (basketMax ?? 0) ? [formatProblem(PATH, `A basket holds ${basketMax} payments at most`)] : []),
  ])
  if (!ids.every(isId)) {
    throw refuse(400, 'RESOURCE_UNKNOWN', 'The bank knows no such payment', PATH)
  }
  return ids
}

function readRequest(body: unknown): Static<typeof BasketRequest> {
  if (requestCheck.Check(body)) {
    return body
  }
  throw new Xs2aRefusal(400, formProblems(requestCheck.Errors(body)))
}

/** Some banks sign payments across borders one by one. */
function requireOneKind(bank: BankProfile, payments: readonly Payment[]): void {
  if (bank.basketDomesticOnly && payments.some(({ rail }) => rail === 'cross-border')) {
    throw refuse(400, 'REFERENCE_MIX_INVALID', 'A basket holds domestic payments only', PATH)
  }
  if (bank.bulk?.inBaskets !== true && payments.some(isBulk)) {
    throw refuse(400, 'REFERENCE_MIX_INVALID', 'A basket holds single payments only', PATH)
  }
}

/** Refuses payments that are not the bank's, are signed or over, lie in a basket already, or are of several companies. */
function requireFit({ world }: BankContext, payments: readonly Payment[], ids: readonly string[]): void {
  if (payments.length < ids.length) {
    throw refuse(400, 'RESOURCE_UNKNOWN', 'The bank knows no such payment', PATH)
  }
  if (payments.some((payment) => !maySign(payment) || payment.status === 'PATC' || payment.basket_id !== null)) {
    throw refuse(409, 'REFERENCE_STATUS_INVALID', 'A payment is signed, over or in another basket', PATH)
  }
  const owners = payments.map(({ bank, debtor }) => accountOf(world, bank, debtor)?.owner)
  if (new Set(owners).size > 1) {
    throw refuse(400, 'REFERENCE_MIX_INVALID', 'The payments are of several companies', PATH)
  }
}

async function keepBasket(context: BankContext, transaction: BankTransaction, call: Xs2aCall): Promise<Basket> {
  const now = context.clock.now()
  return await insertBasket(transaction, {
    id: newId(),
    bank: call.bank.bic,
    status: 'RCVD',
    ...originOf(call),
    created_at: now.toString(),
    due_at: waitsUntil(call.bank, now).toString(),
  })
}

/** A basket is for signing now: it waits for its first signature as long as payments do, and not beyond the day. */
function waitsUntil(bank: BankProfile, now: Temporal.Instant): Temporal.Instant {
  const { minutes } = bank.unsignedLifetime
  return minutes === null ? endOfDay(bank, businessDay(bank, now)) : now.add({ minutes })
}
