/** Tests that the sandbox provider accepts valid beneficiaries of every country. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { startTestFxProvider, type TestFxProvider } from '../../../sandbox/testing/test-fx-provider.ts'
import { listedCountries, requirementsOf } from '../../countries/destinations/requirements-table.ts'
import { validDestination, validLocalDestination } from '../../testing/payments/valid-destination.ts'
import { beneficiaryOf } from '../quotes/exchange-order.ts'
import { openConnector, type TestConnector } from '../testing/connector-for-tests.ts'
import type { Beneficiary } from './beneficiary.ts'
import { FxProviderError } from './fx-provider-error.ts'

let fx: TestFxProvider
let connector: TestConnector
beforeAll(async () => {
  fx = await startTestFxProvider()
  connector = openConnector(fx.provider.url, { access: LOGIN })
})
afterAll(async () => {
  await connector.close()
  await fx.close()
})

const payable = listedCountries.flatMap(({ country }) => requirementsOf(country) ?? [])
const destinations = payable.flatMap((requirements) => {
  const local = validLocalDestination(requirements)
  const all = [validDestination(requirements), ...(local === undefined ? [] : [local])]
  return all.map((destination) => {
    const number = 'iban' in destination.account ? 'IBAN' : 'number of the country'
    return [requirements.country, number, { ...destination, message: 'Invoice 20455' }] as const
  })
})

async function faultOf(beneficiary: Beneficiary): Promise<unknown> {
  try {
    await connector.provider.validateBeneficiary(beneficiary)
    return null
  } catch (error) {
    return error instanceof FxProviderError ? error.validationErrors : error
  }
}

test('a creditor in each country is accepted, with each kind of number', async () => {
  for (const [country, number, destination] of destinations) {
    const receiver = { name: 'Acme Ltd', destination: { ...destination, currency: 'USD' } }
    expect(await faultOf(beneficiaryOf(receiver)), `${country} ${number}`).toBeNull()
  }
})

test('a company is sent with its name', async () => {
  const requirements = requirementsOf('US')
  if (requirements === undefined) {
    throw new Error('There is no such country')
  }
  const destination = { ...validDestination(requirements, 'USD'), message: 'Invoice 20455' }
  const company = beneficiaryOf({ name: 'Acme Ltd', destination })
  expect(await faultOf({ ...company, name: ' ' })).toMatchObject([{ part: 'name' }])
})

describe('euro to an IBAN', () => {
  const wayTo = (country: string, destination = euroTo(country)) =>
    beneficiaryOf({ name: 'Acme Ltd', destination }).method

  test.each([
    ['AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK', 'regular'],
    ['MT NL NO PL PT RO RS SE SI SK SM VA AX GG IM JE RE', 'regular'],
    // Not in SEPA: SWIFT instead of the clearing of the euro area.
    ['AE BA BH EG FO GE GL IL JO KZ PK QA SA TN TR UA XK', 'priority'],
  ])('of %s are %s', (countries, method) => {
    for (const country of countries.split(' ')) {
      expect(wayTo(country), country).toBe(method)
    }
  })

  test('use SWIFT where the account is in another country than the creditor, and that is not in SEPA', () => {
    const { account } = euroTo('TR')
    expect(wayTo('DE', { ...euroTo('DE'), account })).toBe('priority')
  })

  test('are the only currency with this rule', () => {
    expect(wayTo('DE', { ...euroTo('DE'), currency: 'USD' })).toBe('priority')
  })
})

/** Valid, by the IBAN of the country. */
function euroTo(country: string) {
  const requirements = requirementsOf(country)
  if (requirements === undefined) {
    throw new Error('There is no such country')
  }
  return { ...validDestination(requirements, 'EUR'), message: 'Invoice 20455' }
}
