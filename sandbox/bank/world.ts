/** Answers who owns, sees and may use what in the sandbox bank's world. */

import type { Account, BankProfile, Rail, Receiver, User, World } from './fixture.ts'
import { accountNumberOf, rulesOf } from './national/rules-by-country.ts'

export function bankByBic(world: World, bic: string): BankProfile | undefined {
  return world.banks.find((bank) => bank.bic === bic)
}

/** The bank that a stored row belongs to; a bank taken out of the world leaves rows nobody may touch. */
export function bankOfRow(world: World, bic: string): BankProfile {
  const bank = bankByBic(world, bic)
  if (bank === undefined) {
    throw new Error(`The sandbox bank's world has no bank ${bic} any more`)
  }
  return bank
}

export function accountOf(world: World, bic: string, bban: string): Account | undefined {
  return world.accounts.find((account) => account.bic === bic && account.bban === bban)
}

/** The account of a bank that a reference names, however it is written. */
export function accountNamed(
  world: World,
  bank: BankProfile,
  reference: { readonly bban?: string; readonly iban?: string },
): Account | undefined {
  const number = accountNumberOf(bank, reference)
  return number === undefined ? undefined : accountNumbered(world, bank, number)
}

/** The account of a bank with a number; with an IBAN where a number is lost in it. */
export function accountNumbered(world: World, bank: BankProfile, number: string): Account | undefined {
  return accountsByNumber(world).get(`${bank.bic} ${number}`)
}

/** Bulks look for thousands of numbers. */
const indexes = new WeakMap<World, ReadonlyMap<string, Account>>()

function accountsByNumber(world: World): ReadonlyMap<string, Account> {
  const known = indexes.get(world)
  if (known !== undefined) {
    return known
  }
  const index = new Map(
    world.accounts.toReversed().flatMap((account) => {
      const bank = bankOfRow(world, account.bic)
      const numbers = [account.bban, rulesOf(bank).ibanOf(account.bban)]
      return numbers.map((number) => [`${account.bic} ${number}`, account] as const)
    }),
  )
  indexes.set(world, index)
  return index
}

/** Who is paid by a giro number or a payment form's number; undefined when nobody in this world is. */
export function receiverOf(
  { receivers }: World,
  { country }: BankProfile,
  scheme: Rail,
  number: string,
): Receiver | undefined {
  return receivers.find((one) => one.country === country && one.scheme === scheme && one.number === number)
}

export function userById(world: World, id: string): User | undefined {
  return world.users.find((user) => user.id === id)
}

/** The accounts a user may look at, in the order of the world. */
export function accountsVisibleTo(world: World, bic: string, userId: string): readonly Account[] {
  return world.accounts.filter((account) => account.bic === bic && maySee(world, userId, account))
}

export function maySee(world: World, userId: string, account: Account): boolean {
  return rightsOf(world, account.bic, userId, account.owner).includes('view')
}

export function mayPay(world: World, userId: string, account: Account): boolean {
  return account.payable && rightsOf(world, account.bic, userId, account.owner).includes('pay')
}

/** Whether a bank knows a user at all. */
export function isCustomer(world: World, bic: string, userId: string): boolean {
  return world.access.some((row) => row.bic === bic && row.userId === userId)
}

/** Whether a user acts for a company at a bank; separators in the number say nothing. */
export function actsFor(world: World, bic: string, userId: string, organisationNumber: string): boolean {
  const digits = (number: string) => number.replaceAll('-', '')
  return world.access.some(
    (row) => row.bic === bic && row.userId === userId && digits(row.owner) === digits(organisationNumber),
  )
}

/** Whether an owner is a company rather than a person. */
export function isCompany({ companies }: World, owner: string): boolean {
  return companies.some(({ organisationNumber }) => organisationNumber === owner)
}

/** How many different people must sign payments from an account. */
export function signaturesRequired(world: World, account: Account): number {
  const company = world.companies.find(({ organisationNumber }) => organisationNumber === account.owner)
  return account.signatures ?? company?.signaturesRequired ?? 1
}

function rightsOf(world: World, bic: string, userId: string, owner: string): readonly ('view' | 'pay')[] {
  const access = world.access.find((row) => row.bic === bic && row.userId === userId && row.owner === owner)
  return access?.may ?? []
}
