/** Writes the entries of an account in the requested media type, while they are read. */

import type { BankBalance } from '../banks/connector/bank-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../platform/http/errors/api-error.ts'
import { JSON_MEDIA_TYPE } from '../platform/http/preferences.ts'
import type { EntryReader } from './open-entry-reader.ts'
import { type EntriesQuery, readEntries } from './read-entries.ts'
import { writeCamt } from './write-camt.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'

/** Throws before the first chunk what `readEntries` throws, and the bank's error for its first page. */
export async function* writeEntries(
  context: Context,
  caller: ConsentCaller,
  query: EntriesQuery,
  mediaType: string,
): AsyncGenerator<string> {
  const { reading, pages } = await readEntries(context, caller, query)
  if (mediaType === JSON_MEDIA_TYPE) {
    yield* writeJson(pages)
  } else if (mediaType === 'text/csv') {
    yield* writeCsv(pages)
  } else {
    const balances = () => balancesOf(reading)
    yield* writeCamt(pages, { reading, days: query.days, now: context.clock.now(), balances })
  }
}

/** If the balances cannot be read, the statement is written without them. */
async function balancesOf({ accounts, account, caller, withTokens, withQuota }: EntryReader): Promise<BankBalance> {
  const read = async () => accounts.balance(await caller(), account.resourceId)
  try {
    return await withQuota('balance', () => withTokens(read))
  } catch (error) {
    if (error instanceof BankError || error instanceof ApiError) {
      return { booked: null, available: null }
    }
    throw error
  }
}
