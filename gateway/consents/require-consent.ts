/** Finds the consent of a request and an account on it, and rejects the request if one of them cannot be used. */
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import type { DebtorAccountNumber } from '../countries/account-number.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { coalesceBySource } from '../platform/database/coalesce.ts'
import { apiError, InvalidRequestError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { ConsentAccount } from './accounts/consent-account.ts'
import { type DebtorAccount, findAccount, listAccountsOfConsent, SEVERAL_CURRENCIES } from './accounts/find-account.ts'
import { type Consent, type ConsentCaller, isInForce } from './consent.ts'
import { findConsents } from './consent-store.ts'

/** The consent of a `consent-id` header. Another partner's consent is treated as nonexistent. Throws `INVALID_CONSENT`. */
export async function requireConsent(
  context: Context,
  { partnerId }: PartnerCaller,
  consentId: string,
  need: 'accepted' | 'any',
): Promise<Consent> {
  if (!isId(consentId)) {
    throw apiError('INVALID_CONSENT', 'The header consent-id must be the id of a consent (a UUID)')
  }
  const consent = await findRequestedConsent(context, { partnerId, id: consentId.toLowerCase() })
  if (consent === null) {
    throw apiError('INVALID_CONSENT', 'No consent has the id in the header consent-id')
  }
  if (need === 'accepted' && !isInForce(consent, context.clock.now())) {
    throw apiError('INVALID_CONSENT', stateOf(consent))
  }
  return consent
}

/** Concurrent requests find their consents with one statement. */
const findRequestedConsent = coalesceBySource({
  keyOf: ({ id }: Pick<Consent, 'partnerId' | 'id'>) => id,
  run: findConsents,
})

/** The message for an unusable consent; it may have expired a moment ago. */
function stateOf({ status, statusReason, updatedAt, validUntil }: Consent): string {
  if (status === 'ACCEPTED') {
    return `The consent has been EXPIRED since ${formatTimestamp(validUntil)}`
  }
  return `The consent has been ${status}${statusReason === null ? '' : ` (${statusReason})`} since ${formatTimestamp(updatedAt)}`
}

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
  if (account.currency !== currency && account.currency !== SEVERAL_CURRENCIES) {
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
