/** Writes the report of a whole period at once, some entries after the other, so that its length is no matter. */
import { Readable } from 'node:stream'
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { accountReference } from './account-reference.ts'
import type { ReadableAccount } from './authorise-read.ts'
import { type Entry, entriesBetween } from './entry-store.ts'
import type { TransactionQuery } from './transaction-query.ts'
import { reportOf, shower } from './transaction-report.ts'

/** Entries that are read from the books at once. */
const ENTRIES_AT_ONCE = 1_000

/** The body of the answer; whatever it starts with is written when it is read. */
export async function wholeReport(
  context: BankContext,
  bank: BankProfile,
  readable: ReadableAccount,
  query: TransactionQuery,
): Promise<Readable> {
  const frame = {
    account: accountReference(bank, readable.account),
    transactions: await reportOf(context, bank, readable, { query, shown: [], last: undefined }),
  }
  return Readable.from(
    query.bookingStatus === 'pending' ? [JSON.stringify(frame)] : textOf(context, bank, readable, { query, frame }),
  )
}

async function* textOf(
  context: BankContext,
  bank: BankProfile,
  readable: ReadableAccount,
  { query, frame }: { readonly query: TransactionQuery; readonly frame: object },
): AsyncGenerator<string> {
  const [head = '', tail = ''] = JSON.stringify(frame).split('"booked":[]')
  yield `${head}"booked":[`
  const show = shower(context, bank, readable)
  let separator = ''
  for await (const entries of inPieces(context, readable, query)) {
    yield separator + entries.map((entry) => JSON.stringify(show(entry))).join(',')
    separator = ','
  }
  yield `]${tail}`
}

async function* inPieces(
  { database }: BankContext,
  { account }: ReadableAccount,
  query: TransactionQuery,
): AsyncGenerator<readonly Entry[]> {
  let { after } = query
  let entries: readonly Entry[]
  do {
    entries = await entriesBetween(database.query, account, { ...query, after }, ENTRIES_AT_ONCE)
    const last = entries.at(-1)
    after = last === undefined ? null : { day: last.booked_on, position: last.position }
    if (entries.length > 0) {
      yield entries
    }
  } while (entries.length === ENTRIES_AT_ONCE)
}
