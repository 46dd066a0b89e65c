/** Translates a bank's accounts and balances. */
import { countryRules } from '../../../../countries/served-countries.ts'
import { plainCode, withoutSeparators } from '../../../../platform/copied-text.ts'
import type { ReportDeviation } from '../../../../platform/http/tolerant-reader.ts'
import { type Money, parseMoney } from '../../../../platform/money.ts'
import type { BankAccount, BankBalance } from '../../../connector/bank-account.ts'
import { comparableNumber, statedText } from '../../../connector/bank-text.ts'
import { parseIdentifier } from '../wire.ts'
import { accountNumberIn } from './account-reference.ts'
import type { AccountDetails, Balance } from './wire-accounts.ts'

/** ISO 20022 external cash account types that the public API distinguishes. */
const typeByCashAccountType: ReadonlyMap<string, BankAccount['type']> = new Map(
  Object.entries({
    CACC: 'Current',
    TRAN: 'Current',
    CASH: 'Current',
    SVGS: 'Savings',
    ONDP: 'Savings',
    TAXE: 'Tax',
  } as const),
)

/** Best first; the standard guarantees none of them. */
const AVAILABLE_TYPES = ['interimAvailable', 'expected', 'forwardAvailable']
const BOOKED_TYPES = ['interimBooked', 'closingBooked', 'openingBooked']

/**
 * The accounts of the consent, without deleted ones and those to which the user gave no access, which have no id.
 * Undefined where accounts are listed, but none of them can be used.
 */
export function toBankAccounts(
  details: readonly AccountDetails[],
  countryCode: string,
  report: ReportDeviation,
): readonly BankAccount[] | undefined {
  const included = details.filter(({ resourceId, status }) => statedText(resourceId) !== null && status !== 'deleted')
  const accounts = withoutSharedIds(
    included.map((account) => accountOf(account, countryCode)),
    report,
  )
  const usable = accounts.filter((account) => {
    const isUsable = account.resourceId !== null || account.bban !== null || account.iban !== null
    if (!isUsable) {
      report({ path: RESOURCE_ID, reason: 'is not usable', effect: 'dropped' })
    }
    return isUsable
  })
  if (included.length === 0 || usable.length > 0) {
    return usable
  }
  report({ path: RESOURCE_ID, reason: 'is not usable', effect: 'unreadable' })
  return undefined
}

const RESOURCE_ID = 'accounts[].resourceId'

/** Two accounts with one id differ in one of these. */
const DISTINCTIONS: readonly ((account: BankAccount) => string | null)[] = [
  ({ iban }) => comparableNumber(iban === null ? null : plainCode(iban)),
  ({ bban }) => comparableNumber(bban),
  ({ currency }) => currency,
]

/** Without an id, an account can still pay by its number. The same account may be listed twice under its id. */
function withoutSharedIds(accounts: readonly BankAccount[], report: ReportDeviation): readonly BankAccount[] {
  const accountsById = Map.groupBy(accounts, ({ resourceId }) => resourceId)
  return accounts.map((account) => {
    const sharing = accountsById.get(account.resourceId) ?? []
    const differ = DISTINCTIONS.some((of) => new Set(sharing.flatMap((other) => of(other) ?? [])).size > 1)
    const isShared = account.resourceId !== null && differ
    if (account.resourceId === null || isShared) {
      const reason = isShared ? 'is the id of two accounts' : 'cannot be used in a path'
      report({ path: RESOURCE_ID, reason, effect: 'ignored' })
    }
    return isShared ? { ...account, resourceId: null } : account
  })
}

/**
 * The latest balance in the account's currency, as far as the bank reports it: an account may have one in each of several.
 * A bank may report one with and one without the credit limit, of which the first is available and the second booked.
 */
export function toBankBalance(balances: readonly Balance[], currency: string): BankBalance {
  const best = (types: readonly string[], isCreditIncluded: boolean) => {
    const rank = (balance: Balance) => Number((String(balance.creditLimitIncluded) === 'true') !== isCreditIncluded)
    const bestFirst = balances.toSorted(
      (one, other) => rank(one) - rank(other) || dayOf(other).localeCompare(dayOf(one)),
    )
    const amounts = types
      .flatMap((type) => bestFirst.filter(({ balanceType }) => balanceType === type))
      .flatMap(({ balanceAmount }) => parseSignedMoney(balanceAmount.amount, balanceAmount.currency) ?? [])
    return amounts.find((amount) => amount.currency === currency) ?? amounts[0] ?? null
  }
  return { available: best(AVAILABLE_TYPES, true), booked: best(BOOKED_TYPES, false) }
}

/** A day, or a day and a time: both are compared as texts. */
function dayOf({ lastChangeDateTime, referenceDate }: Balance): string {
  return lastChangeDateTime ?? referenceDate ?? ''
}

/** A bank's signed amount, e.g. `-12.5`; null when invalid. Zeros beyond the currency's scale are ignored. */
export function parseSignedMoney(amount: string, currency: string): Money | null {
  const [, sign, units = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const [whole, fraction] = [units.replace(/^0+(?=\d)/, ''), decimals.replace(/(?<!0)0+$/, '')]
  const money = parseMoney(fraction === '' ? whole : `${whole}.${fraction}`, currency)
  return money === undefined ? null : { currency, minor: sign === '-' ? -money.minor : money.minor }
}

function accountOf(account: AccountDetails, countryCode: string): BankAccount {
  const iban = statedText(account.iban)
  return {
    resourceId: parseIdentifier(account.resourceId) ?? null,
    bban: accountNumberIn(account, countryCode, withoutSeparators),
    iban,
    bic: statedText(account.bic),
    name: statedText(account.name) ?? statedText(account.displayName) ?? statedText(account.product),
    ownerName: statedText(account.ownerName),
    currency: account.currency,
    type: typeOf(account, countryCode),
    payable: account.status === 'blocked' ? false : null,
  }
}

/** The public API calls a current account in a foreign currency a currency account. */
function typeOf(account: AccountDetails, countryCode: string): BankAccount['type'] {
  const type = typeByCashAccountType.get(account.cashAccountType ?? '') ?? 'Other'
  const home = countryRules(countryCode)?.currency
  return type === 'Current' && home !== undefined && account.currency !== home ? 'Currency' : type
}
