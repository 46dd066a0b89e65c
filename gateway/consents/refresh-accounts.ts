/** Reads the accounts of a consent at the bank anew, and keeps them under the ids they had. */
import type { Bank } from '../banks/bank.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { requireCompany } from '../onboarding/require-company.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { withConsentAtBank } from './check-at-bank.ts'
import type { ConsentCaller } from './consent.ts'
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
  const shown = accountsOfCompany(bank, company, await withConsentAtBank(context, bank, consent, list))
  const kept = await listConsentAccounts(context.database, { partnerId, consentId })
  const idByResource = new Map(kept.map(({ resourceId, id }) => [resourceId, id]))
  const current = shown.map((account) => ({ ...account, id: idByResource.get(account.resourceId) ?? account.id }))
  await context.database.query
    .transaction()
    .execute((transaction) => replaceAccounts(transaction, { partnerId, consentId }, current))
  return current
}
