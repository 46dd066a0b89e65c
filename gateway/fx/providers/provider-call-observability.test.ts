/** Tests that provider calls are logged and counted, without their contents. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../../testing/fx/fx-provider-fixture.ts'
import type { FxProvider } from './fx-provider.ts'
import { FxProviderError } from './fx-provider-error.ts'

let both: GatewayWithFx
let provider: FxProvider
beforeAll(async () => {
  both = await startGatewayWithFx()
  const { fx } = both.gateway.context
  if (fx === null) {
    throw new Error('The gateway has no provider of exchange')
  }
  provider = fx
})
afterAll(() => both.close())

const NAME = 'Kari Nordmann'
const ACCOUNT = 'DE89370400440532013000'
const receiver = {
  name: NAME,
  entityType: 'company',
  bankCountry: 'DE',
  currency: 'EUR',
  account: { iban: ACCOUNT },
  bic: 'COBADEFFXXX',
  address: { country: 'DE', street: 'Hauptstrasse 1', city: 'Berlin', postCode: '10115' },
} as const

async function measured(): Promise<string> {
  return await both.gateway.context.metrics.registry.metrics()
}

test('calls are measured by operation and outcome, also those that never arrive', async () => {
  await provider.intermediaryAccount({ currency: 'NOK', country: 'NO' })
  await both.fx.fault('drop-request', { operation: 'GET /funding_accounts/find', times: 1 })
  await expect(provider.intermediaryAccount({ currency: 'NOK', country: 'NO' })).rejects.toBeInstanceOf(FxProviderError)
  const text = await measured()
  for (const [operation, outcome] of [
    ['logIn', '200'],
    ['findFundingAccounts', '200'],
    ['findFundingAccounts', 'unreachable'],
  ]) {
    expect(text).toContain(
      `havn_fx_call_seconds_count{provider="currencycloud",operation="${operation}",outcome="${outcome}"} 1`,
    )
  }
})

test('keys, names and accounts are in no log and no metric, whether the provider accepts or not', async () => {
  await provider.createBeneficiary(receiver, crypto.randomUUID())
  await expect(
    provider.createBeneficiary({ ...receiver, bic: 'NOBIC', bankCountry: 'US' }, crypto.randomUUID()),
  ).rejects.toMatchObject({ kind: 'invalid' })
  await both.fx.fault('lose-answer', { operation: 'POST /beneficiaries/validate', times: 1 })
  await expect(provider.validateBeneficiary(receiver)).rejects.toMatchObject({ kind: 'unavailable' })
  const reported = [...both.gateway.logLines(), await measured()].join('\n')
  expect(reported).toContain('validateBeneficiary')
  for (const secret of [LOGIN.apiKey, LOGIN.loginId, NAME, 'Nordmann', ACCOUNT, 'Hauptstrasse', 'auth_token']) {
    expect(reported.includes(secret)).toBe(false)
  }
})

test('calls count towards a limit that all processes share', async () => {
  await provider.rate({
    buyCurrency: 'EUR',
    sellCurrency: 'NOK',
    fixedSide: 'buy',
    amount: { minor: 10_000n, currency: 'EUR' },
    conversionDate: null,
  })
  const { rows } = await both.gateway.context.database.pool.query('select name from fx_call_rate_limits order by name')
  expect(rows.map(({ name }) => name)).toEqual([
    'currencycloud/calls',
    'currencycloud/calls/patient',
    'currencycloud/logins',
    'currencycloud/rates',
  ])
})
