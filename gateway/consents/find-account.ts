/** Looks the accounts of consents up for the rooms above; concurrent requests share a statement. */
import type { Context } from '../context.ts'
import { senderNumber } from '../countries/debtor-account-number.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import { type ConsentAccount, isAccount } from './accounts/consent-account.ts'
import { findAccounts, listConsentAccounts, type NumberAsked } from './accounts/consent-account-store.ts'
import type { Consent } from './consent.ts'

/** Looks an account up by its domestic number, or by its IBAN where the bank shows nothing else; null when the consent does not give it. */
export type FindAccount = (asked: NumberAsked) => Promise<ConsentAccount | null>

/** Makes the look-up of a process. */
export function accountFinder({ database }: Pick<Context, 'database'>): FindAccount {
  const find = coalesce<NumberAsked, { account: ConsentAccount | null }>({
    // The IBAN follows from the number.
    keyOf: ({ consentId, bban, currency }) => `${consentId} ${bban} ${currency ?? ''}`,
    run: async (asked) => (await findAccounts(database, asked)).map((account) => ({ account })),
  })
  return async (asked) => (await find(asked)).account
}

/** The account with this number in its kept form, also where the bank shows nothing but the IBAN. */
export async function accountNumbered(
  context: Pick<Context, 'database'>,
  consent: Consent,
  bban: string,
): Promise<ConsentAccount | undefined> {
  const asked = senderNumber(consent.countryCode, bban)
  return (await accountsOn(context, consent)).find((account) => isAccount(account, asked))
}

/** The accounts that a consent gives, as they were last read at the bank. */
export async function accountsOn(
  { database }: Pick<Context, 'database'>,
  { partnerId, id: consentId }: Consent,
): Promise<readonly ConsentAccount[]> {
  return await listConsentAccounts(database, { partnerId, consentId })
}
