/** Loads the sandbox bank's fixture from its files and fills in the defaults. */
import { Compile } from 'typebox/compile'
import denmark from '../../data/sandbox-bank/denmark.json' with { type: 'json' }
import finland from '../../data/sandbox-bank/finland.json' with { type: 'json' }
import norway from '../../data/sandbox-bank/norway.json' with { type: 'json' }
import sweden from '../../data/sandbox-bank/sweden.json' with { type: 'json' }
import common from '../../data/sandbox-bank/usual.json' with { type: 'json' }
import { BankFixture } from './fixture.ts'
import { accountNumberOf } from './national/rules-by-country.ts'

const fixtureCheck = Compile(BankFixture)

/** Defaults of an account row. */
const USUAL_ACCOUNT = { cashAccountType: 'CACC', signatures: null, payable: true, demand: null, history: [] }
const USUAL_RECEIVER = { cardTypes: [] }

type CountryFixture = {
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

const parts: readonly CountryFixture[] = [norway, sweden, denmark, finland]

/** The shipped fixture: banks of four countries, with a demo company and its counterparties in each. */
export function loadDemoFixture(): BankFixture {
  return validateFixture({
    banks: parts.flatMap(({ country, timeZone, currency, usual, banks }) =>
      banks.map((bank) => ({ country, timeZone, currency, ...common.usual, ...usual, ...bank })),
    ),
    companies: parts.flatMap(({ companies }) => companies),
    users: parts.flatMap(({ users }) => users),
    access: parts.flatMap(({ access }) => access.flatMap(({ at, ...right }) => at.map((bic) => ({ bic, ...right })))),
    accounts: parts.flatMap(({ accounts }) => accounts.map((account) => ({ ...USUAL_ACCOUNT, ...account }))),
    receivers: parts.flatMap(({ country, receivers }) =>
      receivers.map((receiver) => ({ country, ...USUAL_RECEIVER, ...receiver })),
    ),
  })
}

/** Validates a fixture at start, so that an error in the data is reported with its path. */
export function validateFixture(fixture: unknown): BankFixture {
  if (!fixtureCheck.Check(fixture)) {
    const [error] = fixtureCheck.Errors(fixture)
    throw new Error(
      `The sandbox bank's fixture is wrong at ${error?.instancePath ?? '/'}: ${error?.message ?? 'unknown'}`,
    )
  }
  for (const { bic, bban } of fixture.accounts) {
    const bank = fixture.banks.find((one) => one.bic === bic)
    if (bank === undefined || accountNumberOf(bank, { bban }) !== bban) {
      throw new Error(`The sandbox bank's account ${bban} cannot be an account of ${bank?.name ?? bic}`)
    }
  }
  return fixture
}
