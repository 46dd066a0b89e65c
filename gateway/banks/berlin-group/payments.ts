/** Domestic payments at a bank: handed over, followed, authorised and withdrawn. */

import { BankRefusal } from '../bank-refusal.ts'
import {
  type BankCaller,
  type CancellationAnswer,
  type DomesticOrder,
  type DomesticPaymentProduct,
  type InitiationRequest,
  numberOf,
  type PlacedOrder,
  railOf,
} from '../connector.ts'
import { ask, consentHeader, explicitHeaders, identityHeaders, notificationHeaders, path, send } from './ask.ts'
import { authorisationsOf } from './authorisations.ts'
import { dialectOf } from './dialect.ts'
import type { Line } from './line.ts'
import { heldOrder, orderBody } from './order-body.ts'
import { asksForSigning, observe, observeTaken } from './translate.ts'
import { cancellationEndedWith, endedWith } from './translate-authorisations.ts'
import { type PaymentStatus, readPaymentCreated, readPaymentHeld, readPaymentStatus, readWithdrawn } from './wire.ts'

/** The bank takes the withdrawal, but wants the user to sign it. */
const ACCEPTED_FOR_AUTHORISATION = 202

/** The domestic payment product over one line. */
export function domesticPaymentProduct(line: Line): DomesticPaymentProduct {
  return {
    initiate: (caller, order, request) => initiate(line, caller, order, request),
    read: async (caller, placed, { signed }) =>
      observe(await askStatus(line, caller, placed), signed, dialectOf(caller.bank.profile)),
    readOrder: (caller, placed) => readOrder(line, caller, placed),
    authorisations: authorisationsOf(line, {
      name: 'Payment',
      scope: paymentScope,
      collection: (caller, placed) => `${paymentPath(caller, placed)}/authorisations`,
      headers: consentHeader,
      readTarget: async (caller, placed, begun) =>
        endedWith(await askStatus(line, caller, placed), dialectOf(caller.bank.profile), begun),
    }),
    cancellation: {
      cancel: (caller, placed, requestId) => cancel(line, caller, placed, requestId),
      authorisations: authorisationsOf(line, {
        name: 'PaymentCancellation',
        scope: paymentScope,
        collection: (caller, placed) => `${paymentPath(caller, placed)}/cancellation-authorisations`,
        headers: consentHeader,
        readTarget: async (caller, placed) =>
          cancellationEndedWith(await askStatus(line, caller, placed), dialectOf(caller.bank.profile)),
      }),
    },
  }
}

async function initiate(
  line: Line,
  caller: BankCaller,
  order: DomesticOrder,
  request: InitiationRequest,
): ReturnType<DomesticPaymentProduct['initiate']> {
  const dialect = dialectOf(caller.bank.profile)
  const created = await ask(
    line.fetch,
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
        ...explicitHeaders(caller, line.home),
      },
      body: orderBody(order, dialect),
    },
    readPaymentCreated,
  )
  return { bankPaymentId: created.paymentId, observation: observeTaken(created, dialect) }
}

async function askStatus(line: Line, caller: BankCaller, placed: PlacedOrder): Promise<PaymentStatus> {
  const question = {
    operation: 'getPaymentStatus',
    purpose: 'status',
    method: 'GET',
    path: `${paymentPath(caller, placed)}/status`,
  } as const
  return await ask(line.fetch, caller, question, readPaymentStatus)
}

async function readOrder(
  line: Line,
  caller: BankCaller,
  placed: PlacedOrder,
): ReturnType<DomesticPaymentProduct['readOrder']> {
  const question = {
    operation: 'getPayment',
    purpose: 'status',
    method: 'GET',
    path: paymentPath(caller, placed),
  } as const
  return heldOrder(await ask(line.fetch, caller, question, readPaymentHeld), placed, caller.bank.countryCode)
}

async function cancel(
  line: Line,
  caller: BankCaller,
  placed: PlacedOrder,
  requestId: string,
): Promise<CancellationAnswer> {
  const { status, body } = await send(line.fetch, caller, {
    operation: 'cancelPayment',
    purpose: 'cancellation',
    method: 'DELETE',
    path: paymentPath(caller, placed),
    requestId,
    headers: explicitHeaders(caller, line.home),
  })
  const answer = readWithdrawn(body)
  const wantsSignature = answer === undefined ? status === ACCEPTED_FOR_AUTHORISATION : asksForSigning(answer)
  return wantsSignature || (status === ACCEPTED_FOR_AUTHORISATION && answer?.scaStatus !== 'exempted')
    ? 'authorisation-required'
    : 'accepted'
}

function paymentScope({ bankPaymentId }: PlacedOrder): string {
  return `PIS:${bankPaymentId}`
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
