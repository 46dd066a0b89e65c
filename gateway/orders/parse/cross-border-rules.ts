/** Validates the accounts, the money and the destination of a cross-border payment, in the codes of such payments. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { DestinationError, DestinationFault } from '../../countries/destinations/destination.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { currencyScale, parseMoney } from '../../platform/money.ts'
import type { CrossBorderParts } from './cross-border-parts.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** The first characters of a BIC identify the bank, the others its branch. */
const BANK_CHARACTERS = 8

export function checkDebtorBic({ ordered: { from } }: CrossBorderParts, { bank }: ValidationContext): RuleResult {
  const isBank = from.account.bic.slice(0, BANK_CHARACTERS) === bank.bic.slice(0, BANK_CHARACTERS)
  return isBank ? undefined : { code: 'InvalidBIC', reason: `is not ${bank.bic}, the bank of the consent` }
}

/** Requires a valid number of the bank's country that is not the creditor's. */
export function checkDebtorAccount(parts: CrossBorderParts): RuleResult {
  const { check } = parts.debtor
  if (!check.ok) {
    return { code: 'InvalidFromAccount', reason: `The account number ${check.reason}` }
  }
  return parts.isToOwnAccount
    ? { code: 'InvalidFromAccount', reason: 'The account number is that of the receiver' }
    : undefined
}

export function checkDebtorCurrency({ ordered: { from } }: CrossBorderParts): RuleResult {
  return checkCurrency(from.currency)
}

export function checkAmountCurrency({ ordered: { amount } }: CrossBorderParts): RuleResult {
  return checkCurrency(amount.currency)
}

/** Requires a positive amount with the decimals of the currency. The limits of exchange are validated separately. */
export function checkAmount(
  { ordered, amount: money, requiresExchange }: CrossBorderParts,
  { bank }: ValidationContext,
): RuleResult {
  const { amount: text, currency } = ordered.amount
  const [scale, path] = [currencyScale(currency), '.amount.amount']
  if (scale === undefined) {
    return undefined
  }
  if ((text.split('.')[1]?.length ?? 0) > scale) {
    const decimals = scale === 0 ? 'no decimals' : `${scale} decimals`
    return {
      code: 'InvalidQuoteCurrencyScale',
      reason: `has too many decimals: ${currency} has ${decimals}`,
      path,
    }
  }
  if (money === undefined || money.minor === 0n) {
    return { ...invalid('must be more than zero'), path }
  }
  const max = bank.profile.crossBorder?.amountMax[currency]
  const limit = max === undefined || requiresExchange ? undefined : parseMoney(max, currency)
  return limit !== undefined && money.minor > limit.minor
    ? {
        ...invalid(`is above ${max} ${currency}, the limit of ${bank.name} for one cross-border payment`),
        path,
      }
    : undefined
}

function checkCurrency(currency: string): RuleResult {
  return currencyScale(currency) === undefined ? invalid(`${currency} is not an ISO 4217 currency`) : undefined
}

function invalid(reason: string) {
  return { code: 'InvalidRequest', reason } as const
}

const codeByFault: Readonly<Record<DestinationFault['kind'], ValidationCode>> = {
  'country-unsupported': 'InvalidBeneficiaryCountry',
  'currency-not-accepted': 'InvalidRequest',
  'account-missing': 'InvalidBbanOrIban',
  'iban-missing': 'InvalidBbanOrIban',
  'iban-malformed': 'InvalidIbanFormat',
  'iban-not-taken': 'InvalidBbanOrIban',
  'account-malformed': 'InvalidBbanOrIban',
  'bic-malformed': 'InvalidBIC',
  'bic-mismatch': 'IbanBicMismatch',
  'clearing-code-missing': 'InvalidRequest',
  'clearing-code-malformed': 'InvalidRequest',
  'address-missing': 'InvalidToAddress',
  'address-malformed': 'InvalidToAddress',
  'information-missing': 'InvalidRequest',
  'information-malformed': 'InvalidRequest',
  'information-twice': 'InvalidRequest',
  'message-malformed': 'InvalidRequest',
}

/** Without exchange any currency is possible: accounts in foreign currencies exist everywhere. */
export function destinationErrorsOf(
  { ordered, requiresExchange }: CrossBorderParts,
  errors: readonly DestinationError[],
): readonly ValidationError[] {
  return errors
    .filter(({ fault }) => fault.kind !== 'currency-not-accepted' || requiresExchange)
    .map((error) => ({
      code: codeByFault[error.fault.kind],
      reason: error.reason,
      path: pathOf(error, ordered.to.account.type),
    }))
}

function pathOf({ part, index }: DestinationError, type: CrossBorderPayment['to']['account']['type']): string {
  switch (part) {
    case 'iban':
    case 'bban':
      return `.to.account.${type}`
    case 'bic':
    case 'clearingCode':
      return `.to.account.${part}`
    case 'currency':
      return '.amount.currency'
    case 'additionalInformation':
      return `.remittanceInformation.additionalInformation${index === undefined ? '' : `[${index}]`}`
    case 'message':
      return '.remittanceInformation.message'
    default:
      return `.to.contactInformation.${part}`
  }
}
