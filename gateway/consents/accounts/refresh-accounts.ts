/** Reads the accounts of a consent at the bank anew, and keeps them under the ids they had. */
import type { Bank } from '../../banks/directory/bank.ts'
import { requireCompany } from '../../companies/require-company.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { callerAtBank } from '../caller-at-bank.ts'
import type { ConsentCaller } from '../consent.ts'
import { lockConsent } from '../consent-transition-store.ts'
import { countingRead } from '../unattended-reads/unattended-reads.ts'
import { withLiveTokens } from '../with-live-tokens.ts'
import { accountsOfCompany, type ConsentAccount } from './consent-account.ts'
import { listConsentAccounts, replaceAccounts } from './consent-account-store.ts'

/** The company's accounts as the bank shows them now. Throws `forbidden`, or the bank's refusal. */
export async function refreshAccounts(
  context: Context,
  bank: Bank,
  { consent, psu }: ConsentCaller,
): Promise<readonly ConsentAccount[]> {
  const { partnerId, id: consentId, countryCode, organisationNumber } = consent
  const company = await requireCompany(context, partnerId, countryCode, organisationNumber)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} shows no accounts`)
  }
  const list = async () => accounts.list(await callerAtBank(context, { bank, consent, psu }))
  const read = { bank, consent, psu, kind: 'accounts' } as const
  const listed = await countingRead(context, read, () => withLiveTokens(context, { partnerId, consentId }, list))
  const shown = accountsOfCompany(bank, company, listed)
  return await atomically(context.database, async (database) => {
    // Of two who read at the same time, the second keeps what the first has called the accounts.
    await lockConsent(database, { partnerId, id: consentId })
    const kept = await listConsentAccounts(database, { partnerId, consentId })
    const idByResource = new Map(kept.map(({ resourceId, id }) => [resourceId, id]))
    const current = shown.map((account) => ({ ...account, id: idByResource.get(account.resourceId) ?? account.id }))
    await replaceAccounts(database, { partnerId, consentId }, current)
    return current
  })
}
