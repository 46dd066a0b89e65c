/** Money that arrived at the provider, and sending it back. */

import { type Ask, path, type Question } from '../../currencycloud/ask.ts'
import { readable } from '../../currencycloud/repeating.ts'
import type { ProviderReceipt, ReceiptReturn, UnreadReceipt } from '../../provider/receipt.ts'
import type { Beneficiary } from '../beneficiary.ts'
import { FxRefusal, isPassing } from '../fx-provider-error.ts'
import { createBeneficiary } from './beneficiaries.ts'
import { payOut } from './payouts.ts'
import { receiptOf } from './translate-payouts.ts'
import { type FundingTransaction, readFundingTransaction, readTransactions } from './wire.ts'

const PAGE_ENTRIES = 50
/** Nobody gets half a million receipts between two looks: an interface that always shows a next page is not followed. */
const PAGES_MAX = 10_000

/** Receipts that were read: they do not change any more, and every look comes by the latest ones again. */
export type KnownReceipts = Map<string, ProviderReceipt>

/** A quarter of an hour of them, on a day on which everybody pays. */
const KNOWN_MAX = 10_000

/**
 * Money that arrived at or after an instant, oldest first, a page at a time. Each receipt takes a call of its own; what
 * was read before the limit of calls stops it is given out, and known at the next look.
 */
export async function* findReceipts(
  ask: Ask,
  known: KnownReceipts,
  since: Temporal.Instant,
): AsyncGenerator<readonly (ProviderReceipt | UnreadReceipt)[], void, undefined> {
  let page = 1
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { transactions, pagination } = await ask(questionOfPage(since, page), readTransactions)
    const receipts: (ProviderReceipt | UnreadReceipt)[] = []
    try {
      for (const { related_entity_id: id } of transactions) {
        receipts.push(known.get(id) ?? (await tryReceipt(ask, known, id)))
      }
    } finally {
      yield receipts
    }
    if (pagination.next_page <= page) {
      return
    }
    page = pagination.next_page
  }
}

/** What is wrong with one receipt keeps nobody from the others; what is wrong with the way to the provider does. */
async function tryReceipt(ask: Ask, known: KnownReceipts, id: string): Promise<ProviderReceipt | UnreadReceipt> {
  try {
    return remember(known, await readReceipt(ask, id))
  } catch (error) {
    if (error instanceof FxRefusal && (error.kind === 'unreadable' || !isPassing[error.kind])) {
      return { id, refusal: error }
    }
    throw error
  }
}

function remember(known: KnownReceipts, receipt: ProviderReceipt): ProviderReceipt {
  const [oldest] = known.size >= KNOWN_MAX ? known.keys() : []
  if (oldest !== undefined) {
    known.delete(oldest)
  }
  known.set(receipt.id, receipt)
  return receipt
}

function questionOfPage(since: Temporal.Instant, page: number): Question {
  return {
    operation: 'findReceipts',
    method: 'GET',
    path: '/transactions/find',
    fields: {
      related_entity_type: 'inbound_funds',
      type: 'credit',
      status: 'completed',
      completed_at_from: since.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString(),
      order: 'completed_at',
      order_asc_desc: 'asc',
      page: String(page),
      per_page: String(PAGE_ENTRIES),
    },
    effect: 'reads',
    urgency: 'patient',
  }
}

export async function readReceipt(ask: Ask, id: string): Promise<ProviderReceipt> {
  return readable(receiptOf(await readFunding(ask, id)))
}

/** The sender is paid what arrived; whoever sent it from an account that nobody told us of is a matter for people. */
export async function returnReceipt(ask: Ask, receiptId: string, requestId: string): Promise<ReceiptReturn> {
  const funding = await readFunding(ask, receiptId)
  const { amount, reference } = readable(receiptOf(funding))
  const { id: beneficiaryId } = await createBeneficiary(ask, senderOf(funding), requestId)
  const { id } = await payOut(ask, {
    requestId,
    beneficiaryId,
    amount,
    conversionId: null,
    reference: `RETURN ${reference ?? ''}`.trim().slice(0, REFERENCE_CHARACTERS_MAX),
    reason: 'Return of funds',
    purposeCode: null,
    way: 'regular',
    paymentDate: null,
    payer: null,
  })
  return { payoutId: id }
}

/** What local clearings carry everywhere. */
const REFERENCE_CHARACTERS_MAX = 35

async function readFunding(ask: Ask, id: string): Promise<FundingTransaction> {
  const question = {
    operation: 'readReceipt',
    method: 'GET',
    path: path('funding_transactions', id),
    effect: 'reads',
    urgency: 'patient',
  } as const satisfies Question
  return await ask(question, readFundingTransaction)
}

function senderOf({ currency, sender }: FundingTransaction): Beneficiary {
  const [iban, bban] = [sender?.sender_iban || null, sender?.sender_account_number || null]
  const country = (iban?.slice(0, 2) ?? sender?.sender_country) || null
  const name = sender?.sender_name || null
  if ((iban === null && bban === null) || country === null || name === null) {
    throw new FxRefusal('invalid', 'The provider does not tell which account the money came from', {
      problems: [{ part: iban === null && bban === null ? 'bban' : 'name', code: 'sender_unknown', message: '' }],
    })
  }
  return {
    name,
    entityType: 'company',
    bankCountry: country,
    currency,
    way: 'regular',
    account: iban === null ? { bban: bban ?? '' } : { iban },
    ...(sender?.sender_bic ? { bic: sender.sender_bic } : {}),
    ...(sender?.sender_routing_code ? { clearingCode: sender.sender_routing_code } : {}),
    address: {
      country: sender?.sender_country || country,
      ...(sender?.sender_address ? { street: sender.sender_address } : {}),
    },
  }
}
