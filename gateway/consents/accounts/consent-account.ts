/** Defines the account of a consent, and selects the company's accounts from those that a bank returns. */
import { createHash } from 'node:crypto'
import type { BankAccount } from '../../banks/connector/bank-account.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Company } from '../../companies/company.ts'
import { bbanOf, checkAccountNumber } from '../../countries/account-number.ts'
import { withoutSeparators } from '../../countries/separators.ts'
import { newId } from '../../platform/ids.ts'

/** An account that a consent includes. */
export type ConsentAccount = {
  /** The id for partners, under this consent. */
  readonly id: string
  /** The bank's id under this consent. */
  readonly resourceId: string
  /** The same for the account under every consent of a partner. */
  readonly stableId: string
  readonly bban: string | null
  readonly iban: string | null
  readonly bic: string
  readonly name: string | null
  readonly ownerName: string | null
  readonly currency: string
  readonly type: BankAccount['type']
  readonly payable: boolean | null
}

/** The company's accounts: where the bank names an owner, it must be the company. */
export function accountsOfCompany(
  bank: Bank,
  company: Pick<Company, 'partnerId' | 'name'>,
  accounts: readonly BankAccount[],
): readonly ConsentAccount[] {
  return accounts
    .filter(({ ownerName }) => ownerName === null || sameName(ownerName, company.name))
    .map((account) => {
      const bban = account.bban === null ? bbanFrom(account.iban) : normaliseBban(bank, account.bban)
      return {
        ...account,
        id: newId(),
        bban,
        bic: account.bic ?? bank.bic,
        stableId: stableIdOf(bank, company, { ...account, bban }),
      }
    })
}

/** Whether an account has the number, or the IBAN where its number cannot be derived from the IBAN. */
export function matchesAccountNumber(
  { bban, iban }: Pick<ConsentAccount, 'bban' | 'iban'>,
  query: { readonly bban: string; readonly iban: string | null },
): boolean {
  return bban === null ? iban !== null && iban === query.iban : bban === query.bban
}

/** Banks format and pad numbers differently; a number that fails our check is stored as the bank wrote it. */
function normaliseBban({ countryCode }: Bank, bban: string): string {
  const checked = checkAccountNumber(countryCode, bban)
  return checked.ok ? checked.bban : withoutSeparators(bban)
}

/** Null where the IBAN does not contain the whole number, as at some Swedish banks. */
function bbanFrom(iban: string | null): string | null {
  const checked = iban === null ? undefined : bbanOf(iban)
  return checked?.ok === true ? checked.bban : null
}

function stableIdOf(
  bank: Bank,
  { partnerId }: Pick<Company, 'partnerId'>,
  { iban, bban, currency }: BankAccount,
): string {
  return createHash('sha256')
    .update([partnerId, bank.bic, iban ?? bban ?? '', currency].join('\n'))
    .digest('base64url')
    .slice(0, 22)
}

/** Company registers and banks differ in case, spaces, dots and the spelling of the legal form. */
function sameName(one: string, other: string): boolean {
  return normaliseName(one) === normaliseName(other)
}

function normaliseName(name: string): string {
  return name
    .normalize('NFC')
    .toLocaleLowerCase('nb')
    .replace(/[.,/\\'’-]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
}
