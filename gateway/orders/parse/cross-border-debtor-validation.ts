/** Validates the debtor account of a cross-border payment. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { isAccountOnConsent } from '../../accounts/require-consent-account.ts'
import type { FindAccount } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { checkAccountNumber, ibanOf, parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { withoutSeparators } from '../../platform/copied-text.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

const DEBTOR_ACCOUNT_PATH = '.from.account.bban'
/** The first characters of a BIC identify the bank, the others its branch. */
const BANK_CHARACTERS = 8

export function checkDebtorBic({ from }: CrossBorderPayment, { bank }: ValidationContext): RuleResult {
  const isBank = from.account.bic.slice(0, BANK_CHARACTERS) === bank.bic.slice(0, BANK_CHARACTERS)
  return isBank ? undefined : { code: 'InvalidBIC', reason: `is not ${bank.bic}, the bank of the consent` }
}

/** Requires a valid number of the bank's country that is not the creditor's. */
export function checkDebtorAccount(
  order: CrossBorderPayment,
  { bank: { countryCode } }: ValidationContext,
): RuleResult {
  const text = order.from.account.bban
  const checked = checkAccountNumber(countryCode, text)
  if (!checked.ok) {
    return { code: 'InvalidFromAccount', reason: `The account number ${checked.reason}` }
  }
  return isCreditorAccount(order, checked.bban, countryCode)
    ? { code: 'InvalidFromAccount', reason: 'The account number is that of the receiver' }
    : undefined
}

/**
 * Returns the errors that remain after the accounts of the consent were read: an account that the bank shows is valid.
 */
export async function acceptCrossBorderConsentAccount(
  findAccount: FindAccount,
  caller: ConsentCaller,
  order: CrossBorderPayment,
  errors: readonly ValidationError[],
): Promise<readonly ValidationError[]> {
  const { countryCode } = caller.consent
  const isRejected = errors.some(({ path, code }) => path === DEBTOR_ACCOUNT_PATH && code === 'InvalidFromAccount')
  const number: unknown = order.from?.account?.bban
  if (!isRejected || typeof number !== 'string') {
    return errors
  }
  const debtor = parseDebtorAccountNumber(countryCode, number)
  return !isCreditorAccount(order, debtor.bban, countryCode) && (await isAccountOnConsent(findAccount, caller, debtor))
    ? errors.filter(({ path }) => path !== DEBTOR_ACCOUNT_PATH)
    : errors
}

/** Compares all numbers of both accounts. The creditor's may be invalid. */
function isCreditorAccount(order: CrossBorderPayment, bban: string, countryCode: string): boolean {
  const { bban: creditorBban, iban }: { readonly bban?: unknown; readonly iban?: unknown } = order.to?.account ?? {}
  const debtorNumbers = [bban, ibanOf(countryCode, bban)]
  return [creditorBban, iban].some(
    (number) => typeof number === 'string' && debtorNumbers.includes(withoutSeparators(number).toUpperCase()),
  )
}
