/** Assembles the Currencycloud connector. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BookingWindow, Conversion } from '../conversion.ts'
import type { FxProvider, ProviderNotification, ReceivedNotification } from '../fx-provider.ts'
import * as beneficiaries from './beneficiaries.ts'
import {
  type CurrencycloudCredentials,
  listPages,
  openClient,
  type ProviderConnection,
  type SendRequest,
} from './client.ts'
import * as conversions from './conversions.ts'
import { withCancellation } from './conversions.ts'
import * as inboundFunds from './inbound-funds.ts'
import * as payouts from './payouts.ts'
import { instantOf } from './translate.ts'
import { type Notification, readConversionPage, readNotification } from './wire.ts'

/** Credentials, and the settings of our account. */
export type CurrencycloudAccess = CurrencycloudCredentials & {
  /** The key that signs notifications; null rejects all of them. */
  readonly notificationKey: string | null
  /** The periods for which rates can be held, in seconds, ascending. */
  readonly holdSeconds: readonly number[]
}

export const CURRENCYCLOUD = 'currencycloud'

/** Makes no call yet. */
export function openCurrencycloud(connection: ProviderConnection, access: CurrencycloudAccess): FxProvider {
  const send = openClient(connection, access)
  const knownReceipts: inboundFunds.InboundFundsCache = new Map()
  return {
    name: CURRENCYCLOUD,
    rate: (request) => conversions.readRate(send, request),
    quote: (request) => conversions.holdRate(send, request, access.holdSeconds),
    book: (request) => conversions.bookConversion(send, request),
    findConversion: (requestId) => conversions.findConversion(send, requestId),
    readConversion: (id) => conversions.readConversion(send, id),
    conversionsBooked: (window) => listConversionsBooked(send, window),
    cancelConversion: (id) => conversions.cancelConversion(send, id),
    validateBeneficiary: (beneficiary) => beneficiaries.validateBeneficiary(send, beneficiary),
    createBeneficiary: (beneficiary, requestId) => beneficiaries.createBeneficiary(send, beneficiary, requestId),
    intermediaryAccount: (request) => beneficiaries.findIntermediaryAccount(send, request),
    orderPayout: (order) => payouts.orderPayout(send, order),
    findPayout: (requestId) => payouts.findPayout(send, requestId),
    readPayout: (id) => payouts.readPayout(send, id),
    inboundFunds: (since) => inboundFunds.listInboundFunds(send, knownReceipts, since),
    readInboundFunds: (id) => inboundFunds.readInboundFunds(send, id),
    returnInboundFunds: (receipt, requestId) => inboundFunds.returnInboundFunds(send, receipt, requestId),
    parseNotification: (received) => parseNotification(access.notificationKey, received),
  }
}

const SIGNATURE_HEADER = 'x-hmac-digest-sha-512'
const SIGNATURE = /^[0-9a-f]{128}$/i

/** Null without a key, with an invalid signature, or for resources that are not tracked. */
export function parseNotification(
  key: string | null,
  { headers, rawBody }: ReceivedNotification,
): ProviderNotification | null {
  const signature = headers[SIGNATURE_HEADER]
  if (key === null || typeof signature !== 'string' || !isSignatureOf(signature, key, rawBody)) {
    return null
  }
  const notification = readNotification(rawBody.toString('utf8'))
  return notification === undefined ? null : toProviderNotification(notification)
}

function isSignatureOf(signature: string, key: string, rawBody: Buffer): boolean {
  const expected = createHmac('sha512', key).update(rawBody).digest()
  return SIGNATURE.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

function toProviderNotification({ header, body }: Notification): ProviderNotification | null {
  const requestId = body.unique_request_id || null
  switch (header.message_type) {
    case 'payment':
      return { about: 'payout', id: body.id, requestId }
    case 'conversion':
      return { about: 'conversion', id: body.id, requestId }
    case 'cash_manager_transaction':
      return body.related_entity_type === 'inbound_funds' && body.related_entity_id
        ? { about: 'receipt', id: body.related_entity_id, requestId: null }
        : null
    default:
      return null
  }
}

/** Times at the provider are whole seconds, so the window is extended to these. */
async function* listConversionsBooked(
  send: SendRequest,
  { from, to }: BookingWindow,
): AsyncGenerator<readonly Conversion[], void, undefined> {
  const window = { from: wholeSecond(from, 'floor'), to: wholeSecond(to, 'ceil') }
  const apiRequest = {
    operation: 'listConversions',
    path: '/conversions/find',
    fields: { created_at_from: window.from.toString(), created_at_to: window.to.toString() },
    orderedBy: 'created_at',
  }
  for await (const { conversions } of listPages(send, apiRequest, readConversionPage)) {
    const booked: Conversion[] = []
    for (const conversion of conversions) {
      if (isWithin(instantOf(conversion.created_at), window)) {
        booked.push(await withCancellation(send, conversion))
      }
    }
    yield booked
  }
}

/** An API that ignored the filter would return other conversions. A time that cannot be parsed excludes nothing. */
function isWithin(at: Temporal.Instant | null, { from, to }: BookingWindow): boolean {
  return at === null || (Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0)
}

function wholeSecond(at: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return at.round({ smallestUnit: 'second', roundingMode })
}
