/** Calls that list, read and return inbound funds. */
import { setMostRecent } from '../../../platform/collections.ts'
import type { Beneficiary } from '../beneficiary.ts'
import type { FundsReturn, ProviderInboundFunds, RecordedFunds, UnreadableInboundFunds } from '../fx-provider.ts'
import { FxProviderError, isTransient } from '../fx-provider-error.ts'
import { createBeneficiary } from './beneficiaries.ts'
import { listPages, path, requireReadable, type SendRequest } from './client.ts'
import { orderPayout } from './payouts.ts'
import { receiptOf } from './translate.ts'
import { type FundingTransaction, readFundingTransaction, readTransactions } from './wire.ts'

/** Receipts already read: they are immutable, and each poll lists the latest ones again. */
export type InboundFundsCache = Map<string, ProviderInboundFunds>

const COMPLETED = 'completed'
/** A quarter of an hour of receipts on a peak day. */
const CACHE_ENTRIES_MAX = 10_000

/**
 * Funds that arrived at or after an instant, oldest first, a page at a time. Each receipt needs a call of its own: when
 * the rate limit stops them, those already read are yielded, and cached for the next poll.
 */
export async function* listInboundFunds(
  send: SendRequest,
  cache: InboundFundsCache,
  since: Temporal.Instant,
): AsyncGenerator<readonly (ProviderInboundFunds | UnreadableInboundFunds)[], void, undefined> {
  const apiRequest = {
    operation: 'listInboundFunds',
    path: '/transactions/find',
    fields: {
      related_entity_type: 'inbound_funds',
      type: 'credit',
      status: COMPLETED,
      completed_at_from: since.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString(),
    },
    orderedBy: 'completed_at',
  }
  for await (const { transactions } of listPages(send, apiRequest, readTransactions)) {
    const receipts: (ProviderInboundFunds | UnreadableInboundFunds)[] = []
    try {
      for (const { related_entity_id: id } of transactions.filter(({ status }) => status === COMPLETED)) {
        receipts.push(cache.get(id) ?? (await tryReadInboundFunds(send, cache, id)))
      }
    } finally {
      yield receipts
    }
  }
}

/** An error of one receipt does not stop the others; an error of the connection does. */
async function tryReadInboundFunds(
  send: SendRequest,
  cache: InboundFundsCache,
  id: string,
): Promise<ProviderInboundFunds | UnreadableInboundFunds> {
  try {
    return addToCache(cache, requireReadable(receiptOf(await readFunding(send, id))))
  } catch (error) {
    if (error instanceof FxProviderError && (error.kind === 'unreadable' || !isTransient[error.kind])) {
      return { id, error }
    }
    throw error
  }
}

function addToCache(cache: InboundFundsCache, receipt: ProviderInboundFunds): ProviderInboundFunds {
  setMostRecent(cache, [receipt.id, receipt], CACHE_ENTRIES_MAX)
  return receipt
}

/** Throws `unavailable` for pending funds: the provider notifies of them too, and may still reject them. */
export async function readInboundFunds(send: SendRequest, id: string): Promise<ProviderInboundFunds> {
  const funding = await readFunding(send, id)
  if (!funding.completed_at) {
    throw new FxProviderError('unavailable', 'The funds are pending')
  }
  return requireReadable(receiptOf(funding))
}

/**
 * Pays the amount back to the sender. Throws `invalid` if the provider does not report the sender's account, or reports
 * another amount.
 */
export async function returnInboundFunds(
  send: SendRequest,
  { id: receiptId, amount: recorded }: RecordedFunds,
  requestId: string,
): Promise<FundsReturn> {
  const funding = await readFunding(send, receiptId)
  const { amount, reference } = requireReadable(receiptOf(funding))
  if (amount.minor !== recorded.minor || amount.currency !== recorded.currency) {
    throw new FxProviderError('invalid', 'The provider reports another amount than when the funds arrived', {
      validationErrors: [{ part: 'amount', code: 'amount_changed', message: '' }],
    })
  }
  const { id: beneficiaryId } = await createBeneficiary(send, senderOf(funding), requestId)
  const { id } = await orderPayout(send, {
    requestId,
    beneficiaryId,
    amount,
    conversionId: null,
    reference: `RETURN ${reference ?? ''}`.trim().slice(0, REFERENCE_CHARACTERS_MAX),
    reason: 'Return of funds',
    purposeCode: null,
    method: 'regular',
    payer: null,
  })
  return { payoutId: id }
}

/** The length that every local clearing supports. */
const REFERENCE_CHARACTERS_MAX = 35

async function readFunding(send: SendRequest, id: string): Promise<FundingTransaction> {
  const apiRequest = { operation: 'readInboundFunds', path: path('funding_transactions', id) }
  return await send(apiRequest, readFundingTransaction)
}

function senderOf({ currency, sender }: FundingTransaction): Beneficiary {
  const [iban, bban] = [sender?.sender_iban || null, sender?.sender_account_number || null]
  const country = (iban?.slice(0, 2) ?? sender?.sender_country) || null
  const name = sender?.sender_name || null
  if ((iban === null && bban === null) || country === null || name === null) {
    throw new FxProviderError('invalid', 'The provider does not report the account that the funds came from', {
      validationErrors: [
        { part: iban === null && bban === null ? 'bban' : 'name', code: 'sender_unknown', message: '' },
      ],
    })
  }
  return {
    name,
    entityType: 'company',
    bankCountry: country,
    currency,
    method: 'regular',
    account: iban === null ? { bban: bban ?? '' } : { iban },
    ...(sender?.sender_bic ? { bic: sender.sender_bic } : {}),
    ...(sender?.sender_routing_code ? { clearingCode: sender.sender_routing_code } : {}),
    address: {
      country: sender?.sender_country || country,
      ...(sender?.sender_address ? { street: sender.sender_address } : {}),
    },
  }
}
