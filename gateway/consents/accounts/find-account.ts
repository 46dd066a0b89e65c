/** Finds accounts of consents for other modules; concurrent requests share one statement. */
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { coalesce, oncePerDatabase } from '../../platform/database/coalesce.ts'
import type { Consent } from '../consent.ts'
import { type ConsentAccount, matchesAccountNumber } from './consent-account.ts'
import { type AccountNumberQuery, findConsentAccounts, listConsentAccounts } from './consent-account-store.ts'

/**
 * Finds an account by its domestic number, or by its IBAN where the bank returns only that; null when the consent does
 * not include it.
 */
export async function findAccount({ database }: Context, query: AccountNumberQuery): Promise<ConsentAccount | null> {
  return (await sharedFinder(database)(query)).account
}

const sharedFinder = oncePerDatabase((database) =>
  coalesce<AccountNumberQuery, { account: ConsentAccount | null }>({
    // The IBAN is not part of the key, because it is derived from the number.
    keyOf: ({ consentId, bban, currency }) => `${consentId} ${bban} ${currency ?? ''}`,
    run: async (queries) => (await findConsentAccounts(database, queries)).map((account) => ({ account })),
  }),
)

/** The account with this number in its normalised form, also where the bank returns only the IBAN. */
export async function findAccountByBban(
  context: Context,
  consent: Consent,
  bban: string,
): Promise<ConsentAccount | undefined> {
  const query = parseDebtorAccountNumber(consent.countryCode, bban)
  return (await listAccountsOfConsent(context, consent)).find((account) => matchesAccountNumber(account, query))
}

/** The accounts of a consent, as last read at the bank. */
export async function listAccountsOfConsent(
  { database }: Context,
  { partnerId, id: consentId }: Consent,
): Promise<readonly ConsentAccount[]> {
  return await listConsentAccounts(database, { partnerId, consentId })
}
