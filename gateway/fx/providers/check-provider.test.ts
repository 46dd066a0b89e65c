/** Tests the provider check with a working, an unauthorised and an unreachable provider. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { startTestFxProvider, type TestFxProvider } from '../../../sandbox/testing/test-fx-provider.ts'
import { openConnector } from '../testing/connector-for-tests.ts'
import { checkProvider } from './check-provider.ts'

let fx: TestFxProvider
beforeAll(async () => {
  fx = await startTestFxProvider()
  await fx.moveTo('2027-03-02T09:00:00Z')
})
afterAll(() => fx.close())

async function check(access: { readonly loginId: string; readonly apiKey: string }, url = fx.provider.url) {
  const { provider, close } = openConnector(url, { access })
  const checks = await checkProvider(provider)
  await close()
  return checks
}

test('a working provider has an account in each country, and a price', async () => {
  const checks = await check(LOGIN)
  expect(checks.map(({ country, account, fault }) => [country, account?.slice(0, 2), fault])).toEqual([
    ['NO', 'NO', null],
    ['SE', 'SE', null],
    ['DK', 'DK', null],
    ['FI', 'FI', null],
  ])
  expect(checks.map(({ currency, cost }) => cost?.currency === currency && cost.minor > 0n)).toEqual(
    Array(4).fill(true),
  )
})

test('one that rejects our credentials says so, and gets one login request', async () => {
  const calls = async () => Object(await fx.control('/calls'))['POST /authenticate/api'] ?? 0
  const before = await calls()
  const checks = await check({ ...LOGIN, loginId: 'somebody-else' })
  expect(checks.map(({ fault }) => fault)).toEqual(
    Array(4).fill('login-rejected: The provider answered 401 (invalid_supplied_credentials)'),
  )
  expect((await calls()) - before).toBe(1)
})

test('one that is unavailable says so', async () => {
  const checks = await check(LOGIN, 'http://127.0.0.1:9')
  expect(checks.map(({ fault }) => fault)).toEqual(Array(4).fill('unavailable: The provider could not be reached'))
})
