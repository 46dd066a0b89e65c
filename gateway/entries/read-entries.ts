/** Reads the entries of an account between two days, page by page at the consumer's speed. */
import { announceNewEntries, countEntries, type EntriesByDay } from '../accounts/announce-new-entries.ts'
import type { BankEntry, DayRange } from '../banks/connector/bank-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { entryPaymentFinder } from '../orders/match/entry-payment-finder.ts'
import { enrichLatestEntries } from './enrich-latest-entries.ts'
import type { EnrichedEntry, EntryPages } from './entry.ts'
import { entryFormatter } from './format-entry.ts'
import { type EntryReader, openEntryReader } from './open-entry-reader.ts'

/** The entries to read, and whether details of the latest are requested from the bank. */
export type EntriesQuery = { readonly accountId: string; readonly days: DayRange; readonly extended: boolean }

/** An account with its entries; no page is read before it is consumed. */
export type OpenedEntries = { readonly reading: EntryReader; readonly pages: EntryPages }

/** Throws as `openEntryReader` does; the pages throw the bank's errors. */
export async function readEntries(
  context: Context,
  caller: ConsentCaller,
  { accountId, days, extended }: EntriesQuery,
): Promise<OpenedEntries> {
  // Details are best effort: where the bank has none, entries are returned without them.
  const reading = await openEntryReader(context, caller, accountId, 'ACCOUNT_ENTRIES')
  const reported = pagesOf(context, caller, reading, days)
  const read = extended ? enrichLatestEntries(reading, reported) : withoutDetails(reported)
  return { reading, pages: withPayments(context, caller, reading, read) }
}

/** Banks count only the first page against the quota. A list that was read to its end shows which entries are new. */
async function* pagesOf(
  context: Context,
  { consent }: Pick<ConsentCaller, 'consent'>,
  { bank, account, accounts, request, withQuota }: EntryReader,
  days: DayRange,
): AsyncGenerator<readonly BankEntry[]> {
  const which = bank.profile.entries.pending ? 'both' : 'booked'
  const entriesByDay: EntriesByDay = new Map()
  let pages: AsyncIterator<readonly BankEntry[]> | undefined
  const next = async () => {
    if (pages === undefined) {
      const caller = await request(async (current) => current)
      // A long list may outlast tokens and consents: each request is made with the current ones.
      pages = accounts.entries(caller, account.resourceId, { days, which }, request)[Symbol.asyncIterator]()
    }
    return await pages.next()
  }
  try {
    let page = await withQuota('entries', next)
    while (page.done !== true) {
      const booked = page.value.filter(({ status }) => status === 'booked')
      countEntries(entriesByDay, booked)
      yield page.value
      page = await next()
    }
    await announceNewEntries(context, { consent, accountStableId: account.stableId, days, entriesByDay })
  } finally {
    await pages?.return?.()
  }
}

async function* withoutDetails(pages: AsyncIterable<readonly BankEntry[]>): AsyncGenerator<readonly EnrichedEntry[]> {
  for await (const page of pages) {
    yield page.map((reported) => ({ reported, listed: reported, enriched: false }))
  }
}

/** One query per page finds the payments of the entries. */
async function* withPayments(
  context: Context,
  caller: ConsentCaller,
  reading: EntryReader,
  pages: AsyncIterable<readonly EnrichedEntry[]>,
): EntryPages {
  const paymentsOf = entryPaymentFinder(context, caller, reading)
  const format = entryFormatter(reading.account)
  for await (const page of pages) {
    const payments = await paymentsOf(page.map(({ reported }) => reported))
    yield page.map((read) => format(read, payments.get(read.reported)))
  }
}
