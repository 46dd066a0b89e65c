/** Reads the details of one entry from its bank. */
import { isResourceGone } from '../banks/connector/bank-error-classification.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { entryPaymentFinder } from '../orders/match/entry-payment-finder.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { ApiEntryDetails } from './entry.ts'
import { formatEntryDetails } from './format-entry.ts'
import { openEntryReader } from './open-entry-reader.ts'

/** The entry with this id of the bank. Throws `not-found` where the bank has none, and as `openEntryReader` does. */
export async function getEntryDetails(
  context: Context,
  caller: ConsentCaller,
  query: { readonly accountId: string; readonly transactionId: string },
): Promise<ApiEntryDetails> {
  const reading = await openEntryReader(context, caller, query.accountId, 'ACCOUNT_ENTRIES_EXTENDED')
  const { bank, account, accounts, request, withQuota } = reading
  const { entryDetails } = accounts
  if (entryDetails === undefined || !bank.profile.entries.details) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support details of entries`)
  }
  const read = () => request((at) => entryDetails(at, account.resourceId, query.transactionId))
  const reported = await withQuota('details', read).catch((error: unknown) => {
    throw isResourceGone(error) ? apiError('not-found', 'The account has no entry with this id') : error
  })
  const paymentsOf = entryPaymentFinder(context, caller, reading)
  // Without the neighbouring entries, only an unambiguous match is assigned to a payment.
  const payments = await paymentsOf([reported], 'certain')
  return formatEntryDetails(account, reported, payments.get(reported))
}
