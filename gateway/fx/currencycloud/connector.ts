/** Puts the connector to Currencycloud together. */
import type { FxProvider } from '../provider/fx-provider.ts'
import type { ProviderTools } from '../provider/provider-tools.ts'
import * as beneficiaries from '../providers/currencycloud/beneficiaries.ts'
import * as conversions from '../providers/currencycloud/conversions.ts'
import * as receipts from '../providers/currencycloud/inbound-funds.ts'
import { readNotice } from '../providers/currencycloud/notifications.ts'
import * as payouts from '../providers/currencycloud/payouts.ts'
import { type Access, openAsk } from './ask.ts'

/** How the provider is spoken to, and what it was told of us when the account was opened. */
export type CurrencycloudAccess = Access & {
  /** What its notifications are signed with; null takes none. */
  readonly notificationKey: string | null
  /** For how long rates may be held, in seconds, shortest first. */
  readonly holdSeconds: readonly number[]
}

export const CURRENCYCLOUD = 'currencycloud'

/** Opens it; the provider is asked nothing yet. */
export function openCurrencycloud(tools: ProviderTools, access: CurrencycloudAccess): FxProvider {
  const ask = openAsk(tools, access)
  const knownReceipts: receipts.KnownReceipts = new Map()
  return {
    name: CURRENCYCLOUD,
    rate: (asked) => conversions.readRate(ask, asked),
    quote: (asked) => conversions.holdRate(ask, asked, access.holdSeconds),
    book: (asked) => conversions.bookConversion(ask, asked),
    findConversion: (requestId) => conversions.findConversion(ask, requestId),
    readConversion: (id) => conversions.readConversion(ask, id),
    cancelConversion: (id) => conversions.cancelConversion(ask, id),
    requirements: (asked) => beneficiaries.readRequirements(ask, asked),
    validateBeneficiary: (beneficiary) => beneficiaries.validateBeneficiary(ask, beneficiary),
    createBeneficiary: (beneficiary, requestId) => beneficiaries.createBeneficiary(ask, beneficiary, requestId),
    intermediaryAccount: (asked) => beneficiaries.findIntermediaryAccount(ask, asked),
    payOut: (order) => payouts.payOut(ask, order),
    findPayout: (requestId) => payouts.findPayout(ask, requestId),
    readPayout: (id) => payouts.readPayout(ask, id),
    deletePayout: (id) => payouts.deletePayout(ask, id),
    receipts: (since) => receipts.findReceipts(ask, knownReceipts, since),
    readReceipt: (id) => receipts.readReceipt(ask, id),
    returnReceipt: (receiptId, requestId) => receipts.returnReceipt(ask, receiptId, requestId),
    readNotice: (arrived) => readNotice(access.notificationKey, arrived),
  }
}
