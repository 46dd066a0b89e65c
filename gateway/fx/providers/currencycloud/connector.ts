/** Assembles the Currencycloud connector. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FxProvider, ProviderNotification, ReceivedNotification } from '../fx-provider.ts'
import * as beneficiaries from './beneficiaries.ts'
import { type CurrencycloudCredentials, openClient, type ProviderConnection } from './client.ts'
import { listConversionsBooked } from './conversion-list.ts'
import * as conversions from './conversions.ts'
import * as inboundFunds from './inbound-funds.ts'
import * as payouts from './payouts.ts'
import { type Notification, readNotification } from './wire.ts'

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
    requirements: (request) => beneficiaries.readRequirements(send, request),
    validateBeneficiary: (beneficiary) => beneficiaries.validateBeneficiary(send, beneficiary),
    createBeneficiary: (beneficiary, requestId) => beneficiaries.createBeneficiary(send, beneficiary, requestId),
    intermediaryAccount: (request) => beneficiaries.findIntermediaryAccount(send, request),
    orderPayout: (order) => payouts.orderPayout(send, order),
    findPayout: (requestId) => payouts.findPayout(send, requestId),
    readPayout: (id) => payouts.readPayout(send, id),
    deletePayout: (id) => payouts.deletePayout(send, id),
    inboundFunds: (since) => inboundFunds.listInboundFunds(send, knownReceipts, since),
    readInboundFunds: (id) => inboundFunds.readInboundFunds(send, id),
    returnInboundFunds: (receiptId, requestId) => inboundFunds.returnInboundFunds(send, receiptId, requestId),
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
