/** The rules on the account that pays across a border. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { isOnConsent } from '../../accounts/require-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { FindAccount } from '../../consents/find-account.ts'
import { checkAccountNumber, ibanOf } from '../../countries/account-number.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import { withoutSeparators } from '../../countries/separators.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'

const SENDER = '.from.account.bban'
/** The bank; what follows names an office of it. */
const BANK_CHARACTERS = 8

export function checkSenderBic({ from }: CrossBorderPayment, { bank }: Situation): Finding {
  const isBank = from.account.bic.slice(0, BANK_CHARACTERS) === bank.bic.slice(0, BANK_CHARACTERS)
  return isBank ? undefined : { code: 'InvalidBIC', reason: `is not ${bank.bic}, the bank of the consent` }
}

/** A sound number of the bank's country, and not the receiver's own. */
export function checkSenderAccount(order: CrossBorderPayment, { bank: { countryCode } }: Situation): Finding {
  const text = order.from.account.bban
  const checked = checkAccountNumber(countryCode, text)
  if (!checked.ok) {
    return { code: 'InvalidFromAccount', reason: `The account number ${checked.reason}` }
  }
  return isReceivers(order, checked.bban, countryCode)
    ? { code: 'InvalidFromAccount', reason: 'The account number is the receiver’s' }
    : undefined
}

/** The problems that are left once the bank has been heard: an account that it shows on the consent is one. */
export async function withoutOverruledSender(
  findAccount: FindAccount,
  caller: ConsentCaller,
  order: CrossBorderPayment,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const { countryCode } = caller.consent
  const isDoubted = problems.some(({ path, code }) => path === SENDER && code === 'InvalidFromAccount')
  const number: unknown = order.from?.account?.bban
  if (
    !isDoubted ||
    typeof number !== 'string' ||
    isReceivers(order, senderNumber(countryCode, number).bban, countryCode)
  ) {
    return problems
  }
  return (await isOnConsent(findAccount, caller, number)) ? problems.filter(({ path }) => path !== SENDER) : problems
}

/** By whichever of its numbers. The receiver's may not be sound. */
function isReceivers(order: CrossBorderPayment, bban: string, countryCode: string): boolean {
  const { bban: theirs, iban }: { readonly bban?: unknown; readonly iban?: unknown } = order.to?.account ?? {}
  const own = [bban, ibanOf(countryCode, bban)]
  return [theirs, iban].some(
    (number) => typeof number === 'string' && own.includes(withoutSeparators(number).toUpperCase()),
  )
}
