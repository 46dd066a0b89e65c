/** Writes the entries of an account in the form that a caller asked for, while they are read. */

import type { BankBalance } from '../banks/connector/bank-account.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/http/errors/api-error.ts'
import { JSON_FORM } from '../platform/http/operations/negotiate-media-type.ts'
import type { EntryReading } from './open-entry-reader.ts'
import { type EntriesAsked, readEntries } from './read-entries.ts'
import { camtOf } from './write-camt.ts'
import { csvOf } from './write-csv.ts'
import { jsonOf } from './write-json.ts'

/** Throws, before the first piece, what `readEntries` throws and what the bank refuses with its first page. */
export async function* writeEntries(
  context: Context,
  caller: ConsentCaller,
  asked: EntriesAsked,
  mediaType: string,
): AsyncGenerator<string> {
  const { reading, pages } = await readEntries(context, caller, asked)
  if (mediaType === JSON_FORM) {
    yield* jsonOf(pages)
  } else if (mediaType === 'text/csv') {
    yield* csvOf(pages)
  } else {
    const balances = () => balancesOf(reading)
    yield* camtOf(pages, { reading, days: asked.days, now: context.clock.now(), balances })
  }
}

/** A statement without balances is worth more than none. */
async function balancesOf({ accounts, account, caller, asking, counting }: EntryReading): Promise<BankBalance> {
  const ask = async () => accounts.balance(await caller(), account.resourceId)
  try {
    return await counting('balance', () => asking(ask))
  } catch (error) {
    if (error instanceof BankRefusal || error instanceof Refusal) {
      return { booked: null, available: null }
    }
    throw error
  }
}
