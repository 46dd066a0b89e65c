/** Reads what a bank tells of one entry by itself. */
import { isGone } from '../banks/connector/bank-error.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { paymentFinder } from '../orders/matching/entry-payment-finder.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import type { ShownDetails } from './entry.ts'
import { showDetails } from './format-entry.ts'
import { openReading } from './open-entry-reader.ts'

/** The entry with this id of the bank's. Throws `not-found` where the bank has none, and as `openReading` does. */
export async function readDetails(
  context: Context,
  caller: ConsentCaller,
  asked: { readonly accountId: string; readonly transactionId: string },
): Promise<ShownDetails> {
  const reading = await openReading(context, caller, asked.accountId, 'ACCOUNT_ENTRIES_EXTENDED')
  const { bank, account, accounts, asking, counting } = reading
  const { entryDetails } = accounts
  if (entryDetails === undefined || !bank.profile.entries.details) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} tells no details of entries`)
  }
  const ask = async () => entryDetails(await reading.caller(), account.resourceId, asked.transactionId)
  const told = await counting('details', () => asking(ask)).catch((error: unknown) => {
    throw isGone(error) ? refuse('not-found', 'There is no entry with this id on the account') : error
  })
  const paymentsOf = paymentFinder(context, caller, reading)
  // Without the entries beside it, only an entry that is named for certain is a payment's.
  const payments = await paymentsOf([told], 'certain')
  return showDetails(account, told, payments.get(told))
}
