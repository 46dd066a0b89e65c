/** Streams the report of a whole period in batches, so that its length does not affect memory. */
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { type Entry, entriesBetween } from '../ledger/entry-store.ts'
import { accountReference } from '../national/rules-by-country.ts'
import type { ReadableAccount } from './authorise-read.ts'
import type { TransactionQuery } from './transaction-query.ts'
import { createEntryRenderer, renderReport } from './transaction-report.ts'

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
  { database }: Context,
  { account }: ReadableAccount,
  query: TransactionQuery,
): AsyncGenerator<readonly Entry[]> {
  let { after } = query
  let entries: readonly Entry[]
  do {
    entries = await entriesBetween(database.query, account, { ...query, after }, ENTRIES_PER_BATCH)
    const last = entries.at(-1)
    after = last === undefined ? null : { day: last.booked_on, position: last.position }
    if (entries.length > 0) {
      yield entries
    }
  } while (entries.length === ENTRIES_PER_BATCH)
}
