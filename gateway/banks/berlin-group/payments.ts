/** Domestic payments at a bank: handed over, followed, authorised and withdrawn. */
import type { BankCaller, BankFetch, DomesticOrder, DomesticPaymentProduct, InitiationRequest } from '../connector.ts'
import { ask, identityHeaders, notificationHeaders, path, send } from './ask.ts'
import { readAuthorisationState, startAuthorisation } from './authorisations.ts'
import { dialectOf } from './dialect.ts'
import { heldOrder, needsNoSigning, observe, orderBody } from './translate.ts'
import { readPaymentCreated, readPaymentHeld, readPaymentStatus } from './wire.ts'

/** The bank takes the withdrawal, but wants the user to sign it. */
const ACCEPTED_FOR_AUTHORISATION = 202

/** The domestic payment product over one way of fetching. */
export function domesticPaymentProduct(fetch: BankFetch): DomesticPaymentProduct {
  return {
    initiate: (caller, order, request) => initiate(fetch, caller, order, request),
    read: (caller, paymentId, known) => readStatus(fetch, caller, paymentId, known.signed),
    readOrder: (caller, paymentId) => readOrder(fetch, caller, paymentId),
    startAuthorisation: (caller, paymentId, back) =>
      startAuthorisation(fetch, caller, {
        operation: 'startPaymentAuthorisation',
        of: paymentPath(caller, paymentId),
        headers: consentHeader(caller),
        back,
      }),
    readAuthorisation: (caller, paymentId, authorisationId) =>
      readAuthorisationState(fetch, caller, {
        operation: 'getPaymentAuthorisation',
        of: paymentPath(caller, paymentId),
        authorisationId,
      }),
    cancel: (caller, paymentId, requestId) => cancel(fetch, caller, paymentId, requestId),
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
      path: path('payments', dialect.domesticProduct),
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
  const signed = needsNoSigning(created.transactionStatus, created._links)
  return { bankPaymentId: created.paymentId, observation: observe(created, signed) }
}

async function readStatus(
  fetch: BankFetch,
  caller: BankCaller,
  paymentId: string,
  signed: boolean,
): ReturnType<DomesticPaymentProduct['read']> {
  const answer = await ask(
    fetch,
    caller,
    {
      operation: 'getPaymentStatus',
      purpose: 'status',
      method: 'GET',
      path: `${paymentPath(caller, paymentId)}/status`,
    },
    readPaymentStatus,
  )
  return observe(answer, signed)
}

async function readOrder(
  fetch: BankFetch,
  caller: BankCaller,
  paymentId: string,
): ReturnType<DomesticPaymentProduct['readOrder']> {
  const question = {
    operation: 'getPayment',
    purpose: 'status',
    method: 'GET',
    path: paymentPath(caller, paymentId),
  } as const
  return heldOrder(await ask(fetch, caller, question, readPaymentHeld))
}

async function cancel(
  fetch: BankFetch,
  caller: BankCaller,
  paymentId: string,
  requestId: string,
): ReturnType<DomesticPaymentProduct['cancel']> {
  const { status } = await send(fetch, caller, {
    operation: 'cancelPayment',
    purpose: 'cancellation',
    method: 'DELETE',
    path: paymentPath(caller, paymentId),
    requestId,
    headers: { 'tpp-explicit-authorisation-preferred': 'true' },
  })
  return status === ACCEPTED_FOR_AUTHORISATION ? 'authorisation-required' : 'accepted'
}

/** Lets the bank know the consent an order is given under, while its user is there. */
function consentHeader({ psu, bankConsentId }: BankCaller): Record<string, string> {
  return psu === null || bankConsentId === null ? {} : { 'consent-id': bankConsentId }
}

function paymentPath({ bank }: BankCaller, paymentId: string): string {
  return path('payments', dialectOf(bank.profile).domesticProduct, paymentId)
}
