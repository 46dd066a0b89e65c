/** Finds an account on a consent by its id or as a debtor account. */
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { type DebtorAccount, findAccount, listAccountsOfConsent } from '../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { DebtorAccountNumber } from '../countries/account-number.ts'
import { apiError, InvalidRequestError } from '../platform/http/errors/api-error.ts'

/** The account with this id on the consent. Throws `INVALID_ACCOUNT`. */
export async function requireConsentAccount(
  context: Context,
  { consent }: ConsentCaller,
  accountId: string,
): Promise<ConsentAccount> {
  const accounts = await listAccountsOfConsent(context, consent)
  const account = accounts.find(({ id }) => id === accountId.toLowerCase())
  if (account === undefined) {
    throw apiError(
      'INVALID_ACCOUNT',
      'The consent has no account with this id; GET /api/v2/accounts lists its accounts',
    )
  }
  return account
}

/**
 * The debtor account of a payment, if it is on the consent and its user may debit it. Throws `ACCESS_DENIED`, or 422
 * for another currency.
 */
export async function requireAccountOnConsent(
  context: Context,
  { consent }: Pick<ConsentCaller, 'consent'>,
  { bban, iban, currency }: DebtorAccountNumber & { readonly currency: string },
): Promise<DebtorAccount> {
  const { partnerId, id: consentId } = consent
  const account = await findAccount(context.database, { partnerId, consentId, currency, bban, iban })
  if (account === null) {
    throw apiError(
      'ACCESS_DENIED',
      'The debtor account is not on this consent; GET /api/v2/accounts lists its accounts',
    )
  }
  if (account.payable === false) {
    throw apiError('ACCESS_DENIED', 'The user may read the debtor account but not pay from it')
  }
  if (account.currency !== currency) {
    const reason = `must be the currency of the account, ${account.currency}`
    throw new InvalidRequestError([{ code: 'InvalidRequest', reason, path: '.from.currency' }])
  }
  return account
}

/** Whether an account number that fails our validation is one that the bank lists on the consent. */
export async function isAccountOnConsent(
  context: Context,
  { consent }: ConsentCaller,
  { bban, iban }: DebtorAccountNumber,
): Promise<boolean> {
  const { partnerId, id: consentId } = consent
  return (await findAccount(context.database, { partnerId, consentId, bban, iban })) !== null
}
