/** What an account on a consent is, and which of those that a bank shows belong on it. */
import { createHash } from 'node:crypto'
import type { BankAccount } from '../../banks/connector/bank-account.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Company } from '../../companies/company.ts'
import { bbanOf, checkAccountNumber } from '../../countries/account-number.ts'
import { withoutSeparators } from '../../countries/separators.ts'
import { newId } from '../../platform/ids.ts'

/** An account that a consent gives. */
export type ConsentAccount = {
  /** What partners call it; changes with every reading of a consent. */
  readonly id: string
  /** What the bank calls it under this consent. */
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

/** The accounts of the company among those a bank shows: an owner whom the bank names must be the company. */
export function accountsOfCompany(
  bank: Bank,
  company: Pick<Company, 'partnerId' | 'name'>,
  accounts: readonly BankAccount[],
): readonly ConsentAccount[] {
  return accounts
    .filter(({ ownerName }) => ownerName === null || sameName(ownerName, company.name))
    .map((account) => {
      const bban = account.bban === null ? bbanFrom(account.iban) : keptForm(bank, account.bban)
      return {
        ...account,
        id: newId(),
        bban,
        bic: account.bic ?? bank.bic,
        stableId: stableIdOf(bank, company, { ...account, bban }),
      }
    })
}

/** Whether an account is the one asked for: by its number, or by the IBAN where the number cannot be told from it. */
export function isAccount(
  { bban, iban }: Pick<ConsentAccount, 'bban' | 'iban'>,
  asked: { readonly bban: string; readonly iban: string | null },
): boolean {
  return bban === null ? iban !== null && iban === asked.iban : bban === asked.bban
}

/** Banks space numbers and fill them up differently; one that is not sound by our rules is the bank's all the same. */
function keptForm({ countryCode }: Bank, bban: string): string {
  const checked = checkAccountNumber(countryCode, bban)
  return checked.ok ? checked.bban : withoutSeparators(bban)
}

/** Null where the IBAN does not hold the whole number, as at some Swedish banks. */
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

/** Registers and banks differ in case, spaces, dots and in how the form of the company is written. */
function sameName(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(name: string): string {
  return name
    .normalize('NFC')
    .toLocaleLowerCase('nb')
    .replace(/[.,/\\'’-]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
}
