/** Lets the bank overrule our check of the sender's number: an account that it shows on the consent is one. */
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import { isOnConsent } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { FindAccount } from '../consents/find-account.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'

const SENDER = '.from.account.bban'

/** The problems that are left. The consent is looked at only where the number is among them. */
export async function withoutOverruled(
  findAccount: FindAccount,
  caller: ConsentCaller,
  order: DomesticPayment,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const isDoubted = problems.some(({ path, code }) => path === SENDER && code === 'InvalidBBAN')
  const number: unknown = order.from?.account?.bban
  return isDoubted && typeof number === 'string' && (await isOnConsent(findAccount, caller, number))
    ? problems.filter(({ path }) => path !== SENDER)
    : problems
}
