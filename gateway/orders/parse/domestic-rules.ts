/** Validates the accounts and the money of a domestic payment, and the company that debits its account. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import { DOMESTIC_RAILS } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { kindOfCreditorNumber } from '../../banks/connector/bank-order.ts'
import type { RailTerms } from '../../banks/connector/bank-profile.ts'
import type { CreditorNumberKind } from '../../countries/country.ts'
import { checkOrganisationNumber, countryRules } from '../../countries/served-countries.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { currencyScale, parseMoney } from '../../platform/money.ts'
import type { DomesticPaymentParts, ParsedDebtor } from './domestic-payment-parts.ts'
import type { Ordered, RuleResult, ValidationContext } from './validation-context.ts'

/** Completes "The account number is …" and "… pays to …". */
const textByKind: Readonly<Record<CreditorNumberKind, { readonly one: string; readonly many: string }>> = {
  account: { one: 'an account', many: 'accounts' },
  bankgiro: { one: 'a Bankgiro number', many: 'Bankgiro numbers' },
  plusgiro: { one: 'a Plusgiro number', many: 'Plusgiro numbers' },
  'payment-form': { one: 'that of a payment form', many: 'payment forms' },
}

/** Requires a bank account: other rails exist for creditors only. */
export function checkDebtorAccount(
  { debtor: { check } }: { readonly debtor: ParsedDebtor },
  { bank: { countryCode } }: Pick<ValidationContext, 'bank'>,
): RuleResult {
  if (!check.ok) {
    return { code: 'InvalidBBAN', reason: `The account number ${check.reason}` }
  }
  const kind = kindOfCreditorNumber(check.bban, countryCode)
  return kind === 'account'
    ? undefined
    : {
        code: 'InvalidBBAN',
        reason: `The account number is ${textByKind[kind].one}; send the number of the bank account instead`,
      }
}

/** Requires a valid number of a supported rail that is not the debtor's. */
export function checkCreditorAccount(
  { creditor, debtor, rail }: Pick<DomesticPaymentParts, 'creditor' | 'debtor' | 'rail'>,
  { bank }: Pick<ValidationContext, 'bank'>,
): RuleResult {
  if (!creditor.ok) {
    return invalidAccountNumber(creditor.reason)
  }
  const { account } = creditor
  if (bank.profile.rails[rail] === undefined) {
    return invalidAccountNumber(
      `is ${textByKind[account.type].one}; ${bank.name} pays to ${supportedRailsText(bank)} only`,
    )
  }
  return account.type === 'account' && debtor.bban === account.bban
    ? invalidAccountNumber('is that of the sender')
    : undefined
}

function supportedRailsText({ profile }: Bank): string {
  return DOMESTIC_RAILS.filter((rail) => profile.rails[rail] !== undefined)
    .map((rail) => textByKind[rail].many)
    .join(', ')
}

function invalidAccountNumber(reason: string): RuleResult {
  return { code: 'InvalidAccountNumber', reason: `The account number ${reason}` }
}

/** The number is optional; if present it must be that of the consent's company. */
export function checkDebtorOrganisationNumber(
  { ordered }: { readonly ordered: { readonly from: { readonly organizationNumber?: string | number } } },
  { bank, organisationNumber }: ValidationContext,
): RuleResult {
  const { organizationNumber } = ordered.from
  if (organizationNumber === undefined) {
    return undefined
  }
  const checked = checkOrganisationNumber(bank.countryCode, String(organizationNumber))
  return checked.ok && checked.organisationNumber === organisationNumber
    ? undefined
    : { code: 'InvalidRequest', reason: `is not the company of the consent, ${organisationNumber}` }
}

/**
 * Returns the errors that remain after the accounts of the consent were read: an account that the bank shows is valid. They
 * are read only if the debtor's number was rejected, which has a code of its own.
 */
export async function acceptAccountOfConsent(
  errors: readonly ValidationError[],
  isOnConsent: () => Promise<boolean>,
  rejected: ValidationCode = 'InvalidBBAN',
): Promise<readonly ValidationError[]> {
  const others = errors.filter(({ code }) => code !== rejected)
  return others.length < errors.length && (await isOnConsent()) ? others : errors
}

type OfBank = Pick<ValidationContext, 'bank'>

export function checkDebtorCurrency({ ordered: { from } }: Ordered<'from'>, { bank }: OfBank): RuleResult {
  const domestic = countryRules(bank.countryCode)?.currency
  return from.currency === domestic
    ? undefined
    : {
        code: 'InvalidRequest',
        reason: `must be ${domestic}; accounts in other currencies pay by a cross-border payment`,
      }
}

export function checkCurrency(
  { ordered: { amount } }: Ordered<'amount'>,
  { bank: { countryCode } }: OfBank,
): RuleResult {
  const domestic = countryRules(countryCode)?.currency
  if (currencyScale(amount.currency) === undefined) {
    return invalidAmount(`${amount.currency} is not an ISO 4217 currency`)
  }
  return amount.currency === domestic
    ? undefined
    : invalidAmount(`must be ${domestic} in a domestic payment of ${countryCode}`)
}

/**
 * Skips amounts in unknown currencies, which the rule on currencies rejects. Reports the lower limit: after the other one a
 * retry would fail again.
 */
export function checkAmount(
  { ordered, amount: money }: Pick<DomesticPaymentParts, 'ordered' | 'amount'>,
  { bank: { name, countryCode, profile }, limits }: OfBank & { readonly limits: RailTerms },
): RuleResult {
  const { currency } = ordered.amount
  const scale = currencyScale(String(currency))
  if (scale === undefined) {
    return undefined
  }
  if (money === undefined) {
    return invalidAmount(`${currency} has ${scale} decimals at most`)
  }
  if (money.minor === 0n) {
    return invalidAmount('must be above zero')
  }
  const ofRail = currency === countryRules(countryCode)?.currency ? limits.amountMax : null
  const [lowest] = [
    { max: ofRail, description: `the limit of ${name} for a payment of this kind` },
    { max: profile.amountMax[currency] ?? null, description: `the limit of ${name} for one payment` },
  ]
    .flatMap(({ max, description }) => {
      const limit = max === null ? undefined : parseMoney(max, currency)
      return limit === undefined ? [] : { max, description, minor: limit.minor }
    })
    .toSorted((one, other) => Number(one.minor - other.minor))
  return lowest !== undefined && money.minor > lowest.minor
    ? invalidAmount(`is above ${lowest.max} ${currency}, ${lowest.description}`)
    : undefined
}

function invalidAmount(reason: string): RuleResult {
  return { code: 'InvalidAmount', reason }
}

/** The limits of one order. */
export type OrderLimits = RailTerms & {
  readonly messageMax: number
  /** Whether the limit on the message is that of payments to other banks. */
  readonly isToOtherBank: boolean
}

/** Where one of the two account numbers is invalid, the widest limits apply. */
export function orderLimitsOf(
  {
    debtor,
    creditor,
    rail,
    needsClearing,
  }: Pick<DomesticPaymentParts, 'debtor' | 'creditor' | 'rail' | 'needsClearing'>,
  { profile: { rails, constraints } }: Bank,
): OrderLimits {
  const terms = rails[rail] ?? rails.account
  const messageMaxInside = constraints.maxUnstructuredRemittanceInfoLength
  const messageMaxOutside = constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  const isToOtherBank =
    rail === 'account' &&
    terms.messageMax === null &&
    messageMaxOutside < messageMaxInside &&
    debtor.bban !== '' &&
    creditor.ok &&
    needsClearing
  return {
    ...terms,
    messageMax: terms.messageMax ?? (isToOtherBank ? messageMaxOutside : messageMaxInside),
    isToOtherBank,
  }
}
