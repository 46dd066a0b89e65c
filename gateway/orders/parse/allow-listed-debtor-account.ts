/** Accepts a debtor account that fails our own check but is shown by the bank on the consent. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { isAccountOnConsent } from '../../accounts/require-consent-account.ts'
import type { FindAccount } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'

const DEBTOR_ACCOUNT_PATH = '.from.account.bban'

/** Returns the remaining errors. The accounts of the consent are read only if the number was rejected. */
export async function allowListedDebtorAccount(
  findAccount: FindAccount,
  caller: ConsentCaller,
  order: DomesticPayment,
  errors: readonly ValidationError[],
): Promise<readonly ValidationError[]> {
  const isRejected = errors.some(({ path, code }) => path === DEBTOR_ACCOUNT_PATH && code === 'InvalidBBAN')
  const number: unknown = order.from?.account?.bban
  return isRejected && typeof number === 'string' && (await isAccountOnConsent(findAccount, caller, number))
    ? errors.filter(({ path }) => path !== DEBTOR_ACCOUNT_PATH)
    : errors
}
