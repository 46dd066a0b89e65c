/** Refreshes the accounts of a consent from the bank; known accounts keep their ids. */
import type { Bank } from '../../banks/connector/bank.ts'
import { requireCompany } from '../../companies/require-company.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { callBank } from '../call-bank.ts'
import type { ConsentCaller } from '../consent.ts'
import { lockConsent } from '../consent-schedule-store.ts'
import { withReadQuota } from '../unattended-reads/unattended-reads.ts'
import { accountsOfCompany, type ConsentAccount, withKnownAccounts } from './consent-account.ts'
import { listAccountsOfConsent, replaceAccounts } from './find-account.ts'

/** The company's accounts as the bank returns them now. Throws `forbidden`, or the bank's error. */
export async function refreshAccounts(
  context: Context,
  bank: Bank,
  { consent, psu }: ConsentCaller,
): Promise<readonly ConsentAccount[]> {
  const company = await requireCompany(context, consent)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support reading accounts`)
  }
  const quota = { bank, consent, psu, kind: 'accounts' } as const
  const list = () => callBank(context, { bank, consent, service: 'AIS', psu }, (caller) => accounts.list(caller))
  const listed = await withReadQuota(context, quota, list)
  const read = await accountsOfCompany(context, bank, company, listed.accounts)
  return await inTransaction(context, async (context) => {
    // Of two concurrent reads, the second keeps the ids that the first has assigned.
    await lockConsent(context.database, consent)
    const stored = await listAccountsOfConsent(context, consent)
    const current = withKnownAccounts(read, stored, listed)
    await replaceAccounts(context.database, consent, current)
    return current.accounts
  })
}
