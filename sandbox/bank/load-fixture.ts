/** Reads the sandbox bank's world from its files: rows say what differs, the rest is as usual. */
import { Compile } from 'typebox/compile'
import denmark from '../../data/sandbox-bank/denmark.json' with { type: 'json' }
import finland from '../../data/sandbox-bank/finland.json' with { type: 'json' }
import norway from '../../data/sandbox-bank/norway.json' with { type: 'json' }
import sweden from '../../data/sandbox-bank/sweden.json' with { type: 'json' }
import common from '../../data/sandbox-bank/usual.json' with { type: 'json' }
import { World } from './fixture.ts'
import { accountNumberOf } from './national/rules-by-country.ts'

const worldCheck = Compile(World)

/** What a row of accounts need not say. */
const USUAL_ACCOUNT = { cashAccountType: 'CACC', signatures: null, payable: true, demand: null, history: [] }
const USUAL_RECEIVER = { cardTypes: [] }

/** One country's part of the world, as its file has it. */
type CountryPart = {
  readonly country: string
  readonly timeZone: string
  readonly currency: string
  readonly usual: object
  readonly banks: readonly object[]
  readonly companies: readonly object[]
  readonly users: readonly object[]
  readonly access: readonly { readonly at: readonly string[] }[]
  readonly accounts: readonly object[]
  readonly receivers: readonly object[]
}

const parts: readonly CountryPart[] = [norway, sweden, denmark, finland]

/** The world as shipped: banks of four countries, a demo company in each, and those it deals with. */
export function demoWorld(): World {
  return checkWorld({
    banks: parts.flatMap(banksOf),
    companies: parts.flatMap(({ companies }) => companies),
    users: parts.flatMap(({ users }) => users),
    access: parts.flatMap(({ access }) => access.flatMap(({ at, ...right }) => at.map((bic) => ({ bic, ...right })))),
    accounts: parts.flatMap(({ accounts }) => accounts.map((account) => ({ ...USUAL_ACCOUNT, ...account }))),
    receivers: parts.flatMap(({ country, receivers }) =>
      receivers.map((receiver) => ({ country, ...USUAL_RECEIVER, ...receiver })),
    ),
  })
}

/** Makes sure that a world is sound, so that a slip in the data names itself at start. */
export function checkWorld(world: unknown): World {
  if (!worldCheck.Check(world)) {
    const [error] = worldCheck.Errors(world)
    throw new Error(
      `The sandbox bank's world is wrong at ${error?.instancePath ?? '/'}: ${error?.message ?? 'unknown'}`,
    )
  }
  for (const { bic, bban } of world.accounts) {
    const bank = world.banks.find((one) => one.bic === bic)
    if (bank === undefined || accountNumberOf(bank, { bban }) !== bban) {
      throw new Error(`The sandbox bank's account ${bban} cannot be an account of ${bank?.name ?? bic}`)
    }
  }
  return world
}

function banksOf({ country, timeZone, currency, usual, banks }: CountryPart): readonly object[] {
  return banks.map((bank) => ({ country, timeZone, currency, ...common.usual, ...usual, ...bank }))
}
