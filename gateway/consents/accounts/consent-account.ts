/** Defines the account of a consent, and selects the company's accounts from those that a bank returns. */
import type { BankAccount } from '../../banks/connector/bank-account.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Company } from '../../companies/company.ts'
import { bbanOf, checkAccountNumber } from '../../countries/account-number.ts'
import { isNameOfOrganisation } from '../../countries/names/organisation-name.ts'
import { withoutSeparators } from '../../platform/copied-text.ts'
import type { KeyedDigest } from '../../platform/crypto/keyed-digest.ts'
import { newId } from '../../platform/ids.ts'

/** 132 of 256 bits. */
const STABLE_ID_CHARACTERS = 22

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

/** The company's accounts, and how many the bank returned of other owners. */
export type CompanyAccounts = { readonly accounts: readonly ConsentAccount[]; readonly excluded: number }

/** Where the bank names an owner, it must be the company: a user may see the accounts of several. */
export async function accountsOfCompany(
  { digest }: { readonly digest: KeyedDigest },
  bank: Bank,
  company: Pick<Company, 'partnerId' | 'name'>,
  accounts: readonly BankAccount[],
): Promise<CompanyAccounts> {
  const identified = await Promise.all(
    accounts.map(async (account) => {
      const bban = numberOf(bank, account)
      const identity = [company.partnerId, bank.bic, account.iban ?? bban ?? '', account.currency].join('\n')
      const stableId = (await digest(identity, 'account')).slice(0, STABLE_ID_CHARACTERS)
      return { ...account, id: newId(), bban, bic: account.bic ?? bank.bic, stableId }
    }),
  )
  const isOwned = ({ ownerName }: ConsentAccount) => ownerName === null || isNameOfOrganisation(company.name, ownerName)
  const [owned, others] = [identified.filter(isOwned), identified.filter((account) => !isOwned(account))]
  return { accounts: withoutRepetitions(owned), excluded: withoutRepetitions(others).length }
}

/** Some banks list an account twice, e.g. for each agreement of the user. The first of each id, and of each number, counts. */
function withoutRepetitions(accounts: readonly ConsentAccount[]): readonly ConsentAccount[] {
  const known = new Set<string>()
  return accounts.filter(({ resourceId, stableId, bban, iban }) => {
    const hasNumber = bban !== null || iban !== null
    const keys = [`resource ${resourceId}`, ...(hasNumber ? [`number ${stableId}`] : [])]
    const isRepeated = keys.some((key) => known.has(key))
    for (const key of keys) {
      known.add(key)
    }
    return !isRepeated
  })
}

/** Whether an account has the number, or the IBAN where its number cannot be derived from the IBAN. */
export function matchesAccountNumber(
  { bban, iban }: Pick<ConsentAccount, 'bban' | 'iban'>,
  query: { readonly bban: string; readonly iban: string | null },
): boolean {
  return bban === null ? iban !== null && iban === query.iban : bban === query.bban
}

/**
 * Banks format and pad numbers differently. One that fails our check is derived from the IBAN, else stored as the bank
 * wrote it.
 */
function numberOf({ countryCode }: Bank, { bban, iban }: Pick<BankAccount, 'bban' | 'iban'>): string | null {
  const checked = bban === null ? undefined : checkAccountNumber(countryCode, bban)
  return checked?.ok === true ? checked.bban : (bbanFrom(iban) ?? (bban === null ? null : withoutSeparators(bban)))
}

/** Null where the IBAN does not contain the whole number, as at some Swedish banks. */
function bbanFrom(iban: string | null): string | null {
  const checked = iban === null ? undefined : bbanOf(iban)
  return checked?.ok === true ? checked.bban : null
}
