/** Looks up ownership, access and payees in the sandbox bank's fixture. */

import type { Account, BankFixture, BankProfile, Rail, Receiver, User } from './fixture.ts'
import { accountNumberOf, rulesOf } from './national/rules-by-country.ts'

export function bankByBic(fixture: BankFixture, bic: string): BankProfile | undefined {
  return fixture.banks.find((bank) => bank.bic === bic)
}

/** The bank of a stored row; rows of a bank that was removed from the fixture are inaccessible. */
export function requireBankByBic(fixture: BankFixture, bic: string): BankProfile {
  const bank = bankByBic(fixture, bic)
  if (bank === undefined) {
    throw new Error(`The sandbox bank's fixture has no bank ${bic} any more`)
  }
  return bank
}

export function accountOf(fixture: BankFixture, bic: string, bban: string): Account | undefined {
  return fixture.accounts.find((account) => account.bic === bic && account.bban === bban)
}

/** The account of a bank that a reference identifies, in any notation. */
export function accountOfReference(
  fixture: BankFixture,
  bank: BankProfile,
  reference: { readonly bban?: string; readonly iban?: string; readonly currency?: string },
): Account | undefined {
  const number = accountNumberOf(bank, reference)
  const account = number === undefined ? undefined : accountByNumber(fixture, bank, number)
  return reference.currency === undefined || reference.currency === account?.currency ? account : undefined
}

/** The account of a bank with a number; with an IBAN where no number can be derived from it. */
export function accountByNumber(fixture: BankFixture, bank: BankProfile, number: string): Account | undefined {
  return accountsByNumber(fixture).get(`${bank.bic} ${number}`)
}

/** Bulks look up thousands of numbers. */
const indexes = new WeakMap<BankFixture, ReadonlyMap<string, Account>>()

function accountsByNumber(fixture: BankFixture): ReadonlyMap<string, Account> {
  const known = indexes.get(fixture)
  if (known !== undefined) {
    return known
  }
  const index = new Map(
    fixture.accounts.toReversed().flatMap((account) => {
      const bank = requireBankByBic(fixture, account.bic)
      const numbers = [account.bban, rulesOf(bank).ibanOf(account.bban)]
      return numbers.map((number) => [`${account.bic} ${number}`, account] as const)
    }),
  )
  indexes.set(fixture, index)
  return index
}

/** The receiver of a giro or payment form number; undefined when it is not in this fixture. */
export function receiverOf(
  { receivers }: BankFixture,
  { country }: BankProfile,
  scheme: Rail,
  number: string,
): Receiver | undefined {
  return receivers.find((one) => one.country === country && one.scheme === scheme && one.number === number)
}

export function userById(fixture: BankFixture, id: string): User | undefined {
  return fixture.users.find((user) => user.id === id)
}

/** The accounts that a user can access, in the order of the fixture. */
export function accountsVisibleTo(fixture: BankFixture, bic: string, userId: string): readonly Account[] {
  return fixture.accounts.filter((account) => account.bic === bic && maySee(fixture, userId, account))
}

export function maySee(fixture: BankFixture, userId: string, account: Account): boolean {
  return rightsOf(fixture, account.bic, userId, account.owner).includes('view')
}

export function mayPay(fixture: BankFixture, userId: string, account: Account): boolean {
  return account.payable && rightsOf(fixture, account.bic, userId, account.owner).includes('pay')
}

export function isCustomer(fixture: BankFixture, bic: string, userId: string): boolean {
  return fixture.access.some((row) => row.bic === bic && row.userId === userId)
}

/** Whether a user acts for a company at a bank; separators in the number are ignored. */
export function actsFor(fixture: BankFixture, bic: string, userId: string, organisationNumber: string): boolean {
  const digits = (number: string) => number.replaceAll('-', '')
  return fixture.access.some(
    (row) => row.bic === bic && row.userId === userId && digits(row.owner) === digits(organisationNumber),
  )
}

/** Whether an owner is a company rather than a natural person. */
export function isCompany({ companies }: BankFixture, owner: string): boolean {
  return companies.some(({ organisationNumber }) => organisationNumber === owner)
}

/** The number of different users who must sign payments from an account. */
export function signaturesRequired(fixture: BankFixture, account: Account): number {
  const company = fixture.companies.find(({ organisationNumber }) => organisationNumber === account.owner)
  return account.signatures ?? company?.signaturesRequired ?? 1
}

function rightsOf(fixture: BankFixture, bic: string, userId: string, owner: string): readonly ('view' | 'pay')[] {
  const access = fixture.access.find((row) => row.bic === bic && row.userId === userId && row.owner === owner)
  return access?.may ?? []
}
