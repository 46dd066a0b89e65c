/** Domestic payments at a bank: handed over, followed, authorised and withdrawn. */

import { BankRefusal } from '../bank-refusal.ts'
import {
  type BankCaller,
  type BankFetch,
  type DomesticOrder,
  type DomesticPaymentProduct,
  type InitiationRequest,
  numberOf,
  type PlacedOrder,
  railOf,
} from '../connector.ts'
import { ask, identityHeaders, notificationHeaders, path, send } from './ask.ts'
import { readAuthorisationState, startAuthorisation } from './authorisations.ts'
import { dialectOf } from './dialect.ts'
import { heldOrder, orderBody } from './order-body.ts'
import { endedWith, observe, observeTaken } from './translate.ts'
import { type PaymentStatus, readPaymentCreated, readPaymentHeld, readPaymentStatus } from './wire.ts'

/** The bank takes the withdrawal, but wants the user to sign it. */
const ACCEPTED_FOR_AUTHORISATION = 202

/** The domestic payment product over one way of fetching. */
export function domesticPaymentProduct(fetch: BankFetch): DomesticPaymentProduct {
  return {
    initiate: (caller, order, request) => initiate(fetch, caller, order, request),
    read: async (caller, placed, { signed }) =>
      observe(await askStatus(fetch, caller, placed), signed, dialectOf(caller.bank.profile)),
    readOrder: (caller, placed) => readOrder(fetch, caller, placed),
    startAuthorisation: async (caller, placed, back) =>
      await startAuthorisation(fetch, caller, {
        operation: 'startPaymentAuthorisation',
        of: paymentPath(caller, placed),
        headers: consentHeader(caller),
        back,
      }),
    readAuthorisation: async (caller, placed, begun) =>
      await readAuthorisationState(fetch, caller, {
        operation: 'getPaymentAuthorisation',
        of: paymentPath(caller, placed),
        authorisationId: begun.authorisationId,
        readTarget: async () =>
          endedWith(await askStatus(fetch, caller, placed), dialectOf(caller.bank.profile), begun),
      }),
    cancel: (caller, placed, requestId) => cancel(fetch, caller, placed, requestId),
  }
}

async function initiate(
  fetch: BankFetch,
  caller: BankCaller,
  order: DomesticOrder,
  request: InitiationRequest,
): ReturnType<DomesticPaymentProduct['initiate']> {
  const dialect = dialectOf(caller.bank.profile)
  const created = await ask(
    fetch,
    caller,
    {
      operation: 'initiatePayment',
      purpose: 'initiation',
      method: 'POST',
      path: path('payments', productFor(caller, numberOf(order.creditor.account))),
      query: dialect.initiationQuery ?? {},
      requestId: request.requestId,
      headers: {
        ...identityHeaders(caller),
        ...consentHeader(caller),
        ...notificationHeaders(request.notification),
        'tpp-explicit-authorisation-preferred': 'true',
      },
      body: orderBody(order, dialect),
    },
    readPaymentCreated,
  )
  return { bankPaymentId: created.paymentId, observation: observeTaken(created, dialect) }
}

async function askStatus(fetch: BankFetch, caller: BankCaller, placed: PlacedOrder): Promise<PaymentStatus> {
  const question = {
    operation: 'getPaymentStatus',
    purpose: 'status',
    method: 'GET',
    path: `${paymentPath(caller, placed)}/status`,
  } as const
  return await ask(fetch, caller, question, readPaymentStatus)
}

async function readOrder(
  fetch: BankFetch,
  caller: BankCaller,
  placed: PlacedOrder,
): ReturnType<DomesticPaymentProduct['readOrder']> {
  const question = {
    operation: 'getPayment',
    purpose: 'status',
    method: 'GET',
    path: paymentPath(caller, placed),
  } as const
  return heldOrder(await ask(fetch, caller, question, readPaymentHeld), placed, caller.bank.countryCode)
}

async function cancel(
  fetch: BankFetch,
  caller: BankCaller,
  placed: PlacedOrder,
  requestId: string,
): ReturnType<DomesticPaymentProduct['cancel']> {
  const { status } = await send(fetch, caller, {
    operation: 'cancelPayment',
    purpose: 'cancellation',
    method: 'DELETE',
    path: paymentPath(caller, placed),
    requestId,
    headers: { 'tpp-explicit-authorisation-preferred': 'true' },
  })
  return status === ACCEPTED_FOR_AUTHORISATION ? 'authorisation-required' : 'accepted'
}

/** Lets the bank know the consent an order is given under, while its user is there. */
function consentHeader({ psu, bankConsentId }: BankCaller): Record<string, string> {
  return psu === null || bankConsentId === null ? {} : { 'consent-id': bankConsentId }
}

function paymentPath(caller: BankCaller, { bankPaymentId, creditorBban }: PlacedOrder): string {
  return path('payments', productFor(caller, creditorBban), bankPaymentId)
}

/** Some banks have a product for each rail. */
function productFor({ bank }: BankCaller, creditorBban: string): string {
  const rail = railOf(creditorBban, bank.countryCode)
  const product = dialectOf(bank.profile).products[rail]
  if (product === undefined) {
    throw new BankRefusal('unsupported-product', `${bank.name} carries no payments of the kind ${rail}`)
  }
  return product
}
