/** Finds the bank of a consent, and an account among those the consent gives. */
import type { Bank } from '../banks/bank.ts'
import { requireBank } from '../banks/require-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { ConsentAccount } from '../consents/consent-account.ts'
import { accountsOn, type FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { checkAccountNumber } from '../countries/account-number.ts'
import { refuse } from '../foundation/http/refusal.ts'

/** The bank a consent is at. Throws `unavailable` when it is not served at this moment. */
export async function bankOf({ banks }: Pick<Context, 'banks'>, { consent }: ConsentCaller): Promise<Bank> {
  return await requireBank(banks, consent.bic)
}

/** The account with this id on the consent. Throws `INVALID_ACCOUNT`. */
export async function requireAccount(
  context: Context,
  { consent }: ConsentCaller,
  accountId: string,
): Promise<ConsentAccount> {
  const accounts = await accountsOn(context, consent)
  const account = accounts.find(({ id }) => id === accountId)
  if (account === undefined) {
    throw refuse('INVALID_ACCOUNT', 'There is no account with this id on the consent; GET /api/v2/accounts lists them')
  }
  return account
}

/** Makes sure that a payment's debtor account is on the consent and that its user may pay. Throws `ACCESS_DENIED`. */
export async function requireAccountOnConsent(
  findAccount: FindAccount,
  { consent }: ConsentCaller,
  accountNumber: string,
): Promise<void> {
  const checked = checkAccountNumber(consent.countryCode, accountNumber)
  const bban = checked.ok ? checked.bban : accountNumber
  const account = await findAccount({ partnerId: consent.partnerId, consentId: consent.id, bban })
  if (account === null) {
    throw refuse(
      'ACCESS_DENIED',
      'The debtor account is not on this consent; GET /api/v2/accounts lists those that are',
    )
  }
  if (account.payable === false) {
    throw refuse('ACCESS_DENIED', 'The user may see the debtor account and not pay from it')
  }
}
