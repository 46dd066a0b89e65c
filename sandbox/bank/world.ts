/** Reads the sandbox bank's world and answers who owns, sees and may use what in it. */
import { Compile } from 'typebox/compile'
import sandboxBank from '../../data/sandbox-bank.json' with { type: 'json' }
import { isNorwegianAccountNumber } from './norwegian-account.ts'
import { type Account, type BankProfile, type User, World } from './world-shape.ts'

const worldCheck = Compile(World)

/** The world as shipped: one Norwegian bank, a demo company and those it deals with. */
export function demoWorld(): World {
  return checkWorld(sandboxBank)
}

/** Makes sure that a world is sound, so that a slip in the data names itself at start. */
export function checkWorld(world: unknown): World {
  if (!worldCheck.Check(world)) {
    const [error] = worldCheck.Errors(world)
    throw new Error(
      `The sandbox bank's world is wrong at ${error?.instancePath ?? '/'}: ${error?.message ?? 'unknown'}`,
    )
  }
  for (const account of world.accounts) {
    if (!isNorwegianAccountNumber(account.bban)) {
      throw new Error(`The sandbox bank's account ${account.bban} fails modulus 11`)
    }
  }
  return world
}

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
  return rightsOf(world, account.bic, userId, account.owner).includes('pay')
}

/** Whether a user acts for a company at a bank at all. */
export function actsFor(world: World, bic: string, userId: string, organisationNumber: string): boolean {
  return rightsOf(world, bic, userId, organisationNumber).length > 0
}

/** How many different people must sign payments from an account. */
export function signaturesRequired(world: World, account: Account): number {
  return world.companies.find((company) => company.organisationNumber === account.owner)?.signaturesRequired ?? 1
}

function rightsOf(world: World, bic: string, userId: string, owner: string): readonly ('view' | 'pay')[] {
  const access = world.access.find((row) => row.bic === bic && row.userId === userId && row.owner === owner)
  return access?.may ?? []
}
