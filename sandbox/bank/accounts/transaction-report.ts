/** Renders booked and pending transactions: a page, or the whole period as a stream in batches. */
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { type Entry, entriesBetween } from '../ledger/account-store.ts'
import { accountReference } from '../national/rules-by-country.ts'
import { type Link, linkTo } from '../xs2a/xs2a-links.ts'
import type { ReadableAccount } from './authorise-read.ts'
import { findPendingEntries } from './pending-store.ts'
import { displayedEntryId, renderBookedTransaction, renderPendingTransaction } from './render-entry.ts'
import { formatTransactionQuery, type TransactionQuery } from './transaction-query.ts'

/** The booked entries of a page and, if there are more, the first of the next one; none of a list of pending entries. */
export async function pageEntries(
  context: Context,
  bank: BankProfile,
  { account }: ReadableAccount,
  query: TransactionQuery,
): Promise<readonly Entry[]> {
  return query.bookingStatus === 'pending'
    ? []
    : await entriesBetween(context, account, query, bank.transactionsPerPage + 1)
}

/** The report of one page, with the link to the next, if any. */
export async function transactionReport(
  context: Context,
  bank: BankProfile,
  readable: ReadableAccount,
  { query, entries }: { readonly query: TransactionQuery; readonly entries: readonly Entry[] },
): Promise<object> {
  const shown = entries.slice(0, bank.transactionsPerPage)
  const last = entries.length > shown.length ? shown.at(-1) : undefined
  return await renderReport(context, bank, readable, { query, shown, last })
}

/** A report of these entries; the next page begins after `last`. */
async function renderReport(
  context: Context,
  bank: BankProfile,
  readable: ReadableAccount,
  { query, shown, last }: { query: TransactionQuery; shown: readonly Entry[]; last: Entry | undefined },
): Promise<object> {
  const path = `/accounts/${readable.opened.resource_id}`
  const { account } = readable
  const next =
    last === undefined ? {} : { next: transactionsLink(context, bank, `${path}/transactions`, nextPage(query, last)) }
  return {
    ...(query.bookingStatus === 'pending' ? {} : { booked: shown.map(createEntryRenderer(context, bank, readable)) }),
    ...(query.bookingStatus === 'booked' || query.after !== null
      ? {}
      : {
          pending: (await pendingOf(context, bank, readable)).map((one) =>
            renderPendingTransaction(bank, one, { account }),
          ),
        }),
    _links: { account: linkTo(context.addresses, bank, path), ...next },
  }
}

/** Renders booked entries of an account, each with the link to its details, if any. */
function createEntryRenderer(
  context: Context,
  bank: BankProfile,
  { opened, account }: ReadableAccount,
): (entry: Entry) => object {
  const path = `/accounts/${opened.resource_id}/transactions`
  return (entry) => {
    const details = bank.entries.details
      ? linkTo(context.addresses, bank, `${path}/${displayedEntryId(bank, entry)}`)
      : undefined
    return renderBookedTransaction(bank, entry, { account, ...(details === undefined ? {} : { details }) })
  }
}

/** A link to transactions, with the query parameters that the bank requires of every call. */
export function transactionsLink(
  { addresses }: Context,
  bank: BankProfile,
  path: string,
  query: Readonly<Record<string, string>>,
): Link {
  const always = bank.required.query.includes('bic') ? { bic: bank.bic } : {}
  return linkTo(addresses, bank, `${path}?${new URLSearchParams({ ...query, ...always })}`)
}

async function pendingOf(context: Context, bank: BankProfile, { account }: ReadableAccount) {
  const bookedSince = context.clock.now().subtract({ minutes: bank.entries.shownTwiceMinutes })
  return await findPendingEntries(context, account, bookedSince)
}

function nextPage(query: TransactionQuery, last: Entry): Readonly<Record<string, string>> {
  return { ...formatTransactionQuery(query), page: `${query.page + 1}.${last.booked_on}.${last.position}` }
}

const ENTRIES_PER_BATCH = 1_000

/** Returns the body; each batch is read when the stream is consumed. */
export async function streamReport(
  context: Context,
  bank: BankProfile,
  readable: ReadableAccount,
  query: TransactionQuery,
): Promise<Readable> {
  const frame = {
    account: accountReference(bank, readable.account),
    transactions: await renderReport(context, bank, readable, { query, shown: [], last: undefined }),
  }
  return Readable.from(
    query.bookingStatus === 'pending' ? [JSON.stringify(frame)] : textOf(context, bank, readable, { query, frame }),
  )
}

async function* textOf(
  context: Context,
  bank: BankProfile,
  readable: ReadableAccount,
  { query, frame }: { readonly query: TransactionQuery; readonly frame: object },
): AsyncGenerator<string> {
  const [head = '', tail = ''] = JSON.stringify(frame).split('"booked":[]')
  yield `${head}"booked":[`
  const show = createEntryRenderer(context, bank, readable)
  let separator = ''
  for await (const entries of readEntryBatches(context, readable, query)) {
    yield separator + entries.map((entry) => JSON.stringify(show(entry))).join(',')
    separator = ','
  }
  yield `]${tail}`
}

async function* readEntryBatches(
  context: Context,
  { account }: ReadableAccount,
  query: TransactionQuery,
): AsyncGenerator<readonly Entry[]> {
  let { after } = query
  let entries: readonly Entry[]
  do {
    entries = await entriesBetween(context, account, { ...query, after }, ENTRIES_PER_BATCH)
    const last = entries.at(-1)
    after = last === undefined ? null : { day: last.booked_on, position: last.position }
    if (entries.length > 0) {
      yield entries
    }
  } while (entries.length === ENTRIES_PER_BATCH)
}
