/** Assembles the Currencycloud connector. */

import type { ConnectorContext } from '../connector-context.ts'
import type { FxProvider } from '../fx-provider.ts'
import * as beneficiaries from './beneficiaries.ts'
import { type CurrencycloudCredentials, openClient } from './client.ts'
import { listConversionsBooked } from './conversion-list.ts'
import * as conversions from './conversions.ts'
import * as inboundFunds from './inbound-funds.ts'
import { parseNotification } from './notifications.ts'
import * as payouts from './payouts.ts'

/** Credentials, and the settings of our account. */
export type CurrencycloudAccess = CurrencycloudCredentials & {
  /** The key that signs notifications; null rejects all of them. */
  readonly notificationKey: string | null
  /** The periods for which rates can be held, in seconds, ascending. */
  readonly holdSeconds: readonly number[]
}

export const CURRENCYCLOUD = 'currencycloud'

/** Makes no call yet. */
export function openCurrencycloud(context: ConnectorContext, access: CurrencycloudAccess): FxProvider {
  const send = openClient(context, access)
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
