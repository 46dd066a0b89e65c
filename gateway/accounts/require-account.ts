/** Finds the bank of a consent, and an account among those the consent gives. */
import type { Bank } from '../banks/directory/bank.ts'
import { requireBank } from '../banks/directory/require-bank.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountsOn, type FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { senderNumber } from '../countries/debtor-account-number.ts'
import { Invalid, refuse } from '../platform/http/errors/api-error.ts'

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

/** The debtor account of a payment, which is on the consent and from which its user may pay. Throws `ACCESS_DENIED`, or 422 for another currency. */
export async function requireAccountOnConsent(
  findAccount: FindAccount,
  { consent }: ConsentCaller,
  { bban: accountNumber, currency }: { readonly bban: string; readonly currency: string },
): Promise<ConsentAccount> {
  const { partnerId, id: consentId, countryCode } = consent
  const account = await findAccount({ partnerId, consentId, currency, ...numberAsked(countryCode, accountNumber) })
  if (account === null) {
    throw refuse(
      'ACCESS_DENIED',
      'The debtor account is not on this consent; GET /api/v2/accounts lists those that are',
    )
  }
  if (account.payable === false) {
    throw refuse('ACCESS_DENIED', 'The user may see the debtor account and not pay from it')
  }
  if (account.currency !== currency) {
    const reason = `is not the currency of the account, ${account.currency}`
    throw new Invalid([{ code: 'InvalidRequest', reason, path: '.from.currency' }])
  }
  return account
}

/** Whether a number that our rules refuse as the sender's is one that the bank shows on the consent. */
export async function isOnConsent(
  findAccount: FindAccount,
  { consent }: ConsentCaller,
  accountNumber: string,
): Promise<boolean> {
  const { partnerId, id: consentId, countryCode } = consent
  return (await findAccount({ partnerId, consentId, ...numberAsked(countryCode, accountNumber) })) !== null
}

/** How an account is looked up: partners can only send what the list shows, which may be nothing but an IBAN. */
function numberAsked(countryCode: string, text: string): { readonly bban: string; readonly iban: string | null } {
  const { bban, iban } = senderNumber(countryCode, text)
  return { bban, iban }
}
