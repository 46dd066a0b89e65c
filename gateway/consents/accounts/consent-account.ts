/** Defines the account of a consent, and selects the company's accounts from those that a bank returns. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { BankAccount, BankAccountList } from '../../banks/connector/bank-account.ts'
import { comparableNumber } from '../../banks/connector/bank-text.ts'
import type { Company } from '../../companies/company.ts'
import { isNameOfOrganisation } from '../../countries/names/organisation-name.ts'
import type { KeyedDigest } from '../../platform/crypto/keyed-digest.ts'
import { newId } from '../../platform/ids.ts'

/** 132 of 256 bits. */
const STABLE_ID_CHARACTERS = 22

/** An account that a consent includes. */
export type ConsentAccount = {
  /** The id for partners, under this consent. */
  readonly id: string
  /** The bank's id under this consent; null where it has none of its own. */
  readonly resourceId: string | null
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

/** The company's accounts, and those that the bank returned of other owners. */
export type CompanyAccounts = {
  readonly accounts: readonly ConsentAccount[]
  readonly excluded: readonly ConsentAccount[]
}

/** Where the bank names an owner, it must be the company: a user may see the accounts of several. */
export async function accountsOfCompany(
  { digest }: { readonly digest: KeyedDigest },
  bank: Bank,
  company: Pick<Company, 'partnerId' | 'name'>,
  accounts: readonly BankAccount[],
): Promise<CompanyAccounts> {
  const identified = await Promise.all(
    accounts.map(async (account) => {
      const number = comparableNumber(account.iban) ?? comparableNumber(account.bban) ?? account.resourceId ?? ''
      const identity = [company.partnerId, bank.bic, number, account.currency].join('\n')
      const stableId = (await digest(identity, 'account')).slice(0, STABLE_ID_CHARACTERS)
      return { ...account, id: newId(), bic: account.bic ?? bank.bic, stableId }
    }),
  )
  const isOwned = ({ ownerName }: ConsentAccount) => ownerName === null || isNameOfOrganisation(company.name, ownerName)
  const [owned, others] = [identified.filter(isOwned), identified.filter((account) => !isOwned(account))]
  return { accounts: withoutRepetitions(owned), excluded: withoutRepetitions(others) }
}

/**
 * The accounts with the ids that they had before. Of an incomplete list, those that it had before are part, too: they may
 * be among what could not be read.
 */
export function withKnownAccounts(
  { accounts, excluded }: CompanyAccounts,
  known: readonly ConsentAccount[],
  { complete }: Pick<BankAccountList, 'complete'>,
): CompanyAccounts {
  const knownByKey = new Map(known.flatMap((account) => keysOf(account).map((key) => [key, account])))
  const listed = new Set<ConsentAccount>()
  const withKnownId = (account: ConsentAccount) => {
    const same = keysOf(account)
      .map((key) => knownByKey.get(key))
      .find((other) => other !== undefined && !listed.has(other) && !isOther(account, other))
    if (same !== undefined) {
      listed.add(same)
    }
    return { ...account, id: same?.id ?? account.id }
  }
  const current = { accounts: accounts.map(withKnownId), excluded: excluded.map(withKnownId) }
  const unread = complete ? [] : known.filter((account) => !listed.has(account))
  return { ...current, accounts: [...current.accounts, ...unread] }
}

/**
 * What an account is identified by, strongest first, each with the currency: accounts in several currencies may share
 * all of them. A number of which a part is masked may be that of several accounts, and the bank's id counts where there
 * is no number.
 */
function keysOf({ iban, bban, resourceId, currency }: ConsentAccount): readonly string[] {
  const identities = { iban: comparableNumber(iban), bban: comparableNumber(bban), resource: resourceId }
  return Object.entries(identities).flatMap(([kind, id]) => (id === null ? [] : [`${kind} ${currency} ${id}`]))
}

/** Whether two accounts that share a key differ in another one of their numbers. */
function isOther(one: ConsentAccount, other: ConsentAccount): boolean {
  return (['iban', 'bban'] as const).some((field) => {
    const numbers = [one, other].flatMap((account) => comparableNumber(account[field]) ?? [])
    return new Set(numbers).size > 1
  })
}

/**
 * Some banks list an account twice, e.g. for each agreement of the user. The first counts, of those with the most
 * certain number.
 */
function withoutRepetitions(accounts: readonly ConsentAccount[]): readonly ConsentAccount[] {
  const certainty = ({ iban, bban }: ConsentAccount) => [bban, iban].findLastIndex((number) => number !== null)
  const known = new Set<string>()
  const first = new Set<ConsentAccount>()
  for (const account of accounts.toSorted((one, other) => certainty(other) - certainty(one))) {
    const keys = keysOf(account)
    if (!known.has(keys[0] ?? '')) {
      first.add(account)
    }
    for (const key of keys) {
      known.add(key)
    }
  }
  return accounts.filter((account) => first.has(account))
}

/** Whether an account has the number, or the IBAN where its number cannot be derived from the IBAN. */
export function matchesAccountNumber(
  { bban, iban }: Pick<ConsentAccount, 'bban' | 'iban'>,
  query: { readonly bban: string; readonly iban: string | null },
): boolean {
  return bban === null ? iban !== null && iban === query.iban : bban === query.bban
}
