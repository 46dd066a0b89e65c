/** Refreshes the accounts of a consent from the bank; known accounts keep their ids. */
import type { Bank } from '../../banks/directory/bank.ts'
import { requireCompany } from '../../companies/require-company.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { ConsentCaller } from '../consent.ts'
import { lockConsent } from '../consent-transition-store.ts'
import { bankCallerOf } from '../tokens/bank-caller.ts'
import { withTokenRetry } from '../tokens/with-token-retry.ts'
import { withReadQuota } from '../unattended-reads/unattended-reads.ts'
import { accountsOfCompany, type ConsentAccount } from './consent-account.ts'
import { listConsentAccounts, replaceAccounts } from './consent-account-store.ts'

/** The company's accounts as the bank returns them now. Throws `forbidden`, or the bank's error. */
export async function refreshAccounts(
  context: Context,
  bank: Bank,
  { consent, psu }: ConsentCaller,
): Promise<readonly ConsentAccount[]> {
  const { partnerId, id: consentId, countryCode, organisationNumber } = consent
  const company = await requireCompany(context, partnerId, countryCode, organisationNumber)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support reading accounts`)
  }
  const list = async () => accounts.list(await bankCallerOf(context, { bank, consent, service: 'AIS', psu }))
  const read = { bank, consent, psu, kind: 'accounts' } as const
  const subject = { partnerId, consentId, service: 'AIS' } as const
  const listed = await withReadQuota(context, read, () => withTokenRetry(context, subject, list))
  const { accounts: shown, excluded } = await accountsOfCompany(context, bank, company, listed)
  return await inTransaction(context.database, async (database) => {
    // Of two concurrent reads, the second keeps the ids that the first has assigned.
    await lockConsent(database, { partnerId, id: consentId })
    const stored = await listConsentAccounts(database, { partnerId, consentId })
    const idByResource = new Map(stored.map(({ resourceId, id }) => [resourceId, id]))
    const current = shown.map((account) => ({ ...account, id: idByResource.get(account.resourceId) ?? account.id }))
    await replaceAccounts(database, { partnerId, consentId }, { accounts: current, excluded })
    return current
  })
}
