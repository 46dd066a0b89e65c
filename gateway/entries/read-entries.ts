/** Reads the entries of an account between two days: page by page, as fast as they are taken. */
import type { BankEntry, DayRange } from '../banks/connector/bank-account.ts'
import type { RequestMaker } from '../banks/connector/connector.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { paymentFinder } from '../orders/matching/entry-payment-finder.ts'
import { enrichLatest } from './enrich-latest-entries.ts'
import type { EntryPages, ReadEntry } from './entry.ts'
import { entryShower } from './format-entry.ts'
import { type EntryReading, openReading } from './open-entry-reader.ts'

/** Which entries are asked for, and whether their bank is asked for details of the latest. */
export type EntriesAsked = { readonly accountId: string; readonly days: DayRange; readonly extended: boolean }

/** An account with its entries; nothing of these is read before they are taken. */
export type OpenedEntries = { readonly reading: EntryReading; readonly pages: EntryPages }

/** Throws as `openReading` does; the pages throw what the bank refuses. */
export async function readEntries(
  context: Context,
  caller: ConsentCaller,
  { accountId, days, extended }: EntriesAsked,
): Promise<OpenedEntries> {
  // Details are a best effort: where the bank has none, the entries are told without.
  const reading = await openReading(context, caller, accountId, 'ACCOUNT_ENTRIES')
  const told = pagesOf(reading, days)
  const read = extended ? enrichLatest(reading, told) : plain(told)
  return { reading, pages: withPayments(context, caller, reading, read) }
}

/** Banks count the first page alone. */
async function* pagesOf(
  { bank, account, accounts, ...reading }: EntryReading,
  days: DayRange,
): AsyncGenerator<readonly BankEntry[]> {
  const which = bank.profile.entries.pending ? 'both' : 'booked'
  let pages: AsyncIterator<readonly BankEntry[]> | undefined
  // A long list takes longer than tokens last, and consents may: each request is made with those of its moment.
  const each: RequestMaker = (request) => reading.asking(async () => await request(await reading.caller()))
  const next = async () => {
    pages ??= accounts
      .entries(await reading.asking(reading.caller), account.resourceId, { days, which }, each)
      [Symbol.asyncIterator]()
    return await pages.next()
  }
  try {
    let page = await reading.counting('entries', next)
    while (page.done !== true) {
      yield page.value
      page = await next()
    }
  } finally {
    await pages?.return?.()
  }
}

async function* plain(pages: AsyncIterable<readonly BankEntry[]>): AsyncGenerator<readonly ReadEntry[]> {
  for await (const page of pages) {
    yield page.map((told) => ({ told, listed: told, enriched: false }))
  }
}

/** One query a page finds which entries belong to payments of the partner. */
async function* withPayments(
  context: Context,
  caller: ConsentCaller,
  reading: EntryReading,
  pages: AsyncIterable<readonly ReadEntry[]>,
): EntryPages {
  const paymentsOf = paymentFinder(context, caller, reading)
  const show = entryShower(reading.account)
  for await (const page of pages) {
    const payments = await paymentsOf(page.map(({ told }) => told))
    yield page.map((read) => show(read, payments.get(read.told)))
  }
}
