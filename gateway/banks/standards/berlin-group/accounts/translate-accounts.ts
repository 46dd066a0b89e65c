/** Translates a bank's accounts and balances. */
import { countryRules } from '../../../../countries/served-countries.ts'
import { type Money, parseMoney } from '../../../../platform/money.ts'
import type { BankAccount, BankBalance } from '../../../connector/bank-account.ts'
import { statedText } from '../../../connector/stated-text.ts'
import { parseIdentifier } from '../wire.ts'
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

/** The accounts of the consent, without deleted ones and those without an id that can be read by. */
export function toBankAccounts(details: readonly AccountDetails[], countryCode: string): readonly BankAccount[] {
  return details.flatMap((account) => {
    const isStated = statedText(account.resourceId) !== null
    const resourceId = isStated ? parseIdentifier(account.resourceId) : undefined
    return resourceId === undefined || account.status === 'deleted'
      ? []
      : [accountOf({ ...account, resourceId }, countryCode)]
  })
}

/** The balance in the account's currency, as far as the bank reports it. */
export function toBankBalance(balances: readonly Balance[]): BankBalance {
  return { available: firstOf(balances, AVAILABLE_TYPES), booked: firstOf(balances, BOOKED_TYPES) }
}

/** A bank's signed amount, e.g. `-12.5`; null when invalid. Zeros beyond the currency's scale are ignored. */
export function parseSignedMoney(amount: string, currency: string): Money | null {
  const [, sign, units = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const [whole, fraction] = [units.replace(/^0+(?=\d)/, ''), decimals.replace(/(?<!0)0+$/, '')]
  const money = parseMoney(fraction === '' ? whole : `${whole}.${fraction}`, currency)
  return money === undefined ? null : { currency, minor: sign === '-' ? -money.minor : money.minor }
}

function accountOf(account: AccountDetails & { resourceId: string }, countryCode: string): BankAccount {
  return {
    resourceId: account.resourceId,
    bban: statedText(account.bban),
    iban: statedText(account.iban),
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

function firstOf(balances: readonly Balance[], types: readonly string[]): Money | null {
  const found = types.flatMap((type) => balances.filter(({ balanceType }) => balanceType === type))
  const amount = found[0]?.balanceAmount
  return amount === undefined ? null : parseSignedMoney(amount.amount, amount.currency)
}
