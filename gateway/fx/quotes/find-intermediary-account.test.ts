/** Tests that the intermediary account is cached between quotes. */
import { expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import { FxProviderError } from '../providers/fx-provider-error.ts'
import { scriptedProvider } from '../testing/scripted-provider.ts'
import { findIntermediaryAccount } from './intermediary-account.ts'

const ACCOUNT: IntermediaryAccount = {
  holder: { name: 'Client account', address: { street: null, city: null, postCode: null, country: null } },
  ...{ country: 'NO', currency: 'NOK', iban: null, bban: '86011117947', bic: null, clearingCode: null },
}
const NORWAY = { currency: 'NOK', country: 'NO' }

/** A provider that counts its calls, and a clock whose wall time is set. */
function played(account: IntermediaryAccount | null) {
  const state: { asked: string[]; account: IntermediaryAccount | null; refuses: boolean } = {
    ...{ asked: [], account, refuses: false },
  }
  const time = { real: Temporal.Instant.from('2026-03-02T11:00:00Z') }
  const provider = {
    ...scriptedProvider(),
    intermediaryAccount: async ({ currency, country }: typeof NORWAY) => {
      state.asked.push(`${currency} ${country}`)
      if (state.refuses) {
        throw new FxProviderError('unavailable', 'The provider is away')
      }
      return state.account
    },
  }
  const clock = { ...movableClock(), real: () => time.real }
  return { state, time, find: (place = NORWAY) => findIntermediaryAccount({ clock }, provider, place) }
}

test('an account is requested once in five minutes of wall time, for each currency and country', async () => {
  const { state, time, find } = played(ACCOUNT)
  for (const place of [NORWAY, NORWAY, { currency: 'EUR', country: 'NO' }, { currency: 'NOK', country: 'SE' }]) {
    expect(await find(place)).toEqual(ACCOUNT)
  }
  expect(state.asked).toEqual(['NOK NO', 'EUR NO', 'NOK SE'])
  state.account = { ...ACCOUNT, bban: '86011117955' }
  time.real = time.real.add({ minutes: 5 }).subtract({ seconds: 1 })
  expect(await find()).toEqual(ACCOUNT)
  time.real = time.real.add({ seconds: 1 })
  expect(await find()).toEqual(state.account)
})

test('a missing account and an error are not cached', async () => {
  const { state, find } = played(null)
  expect(await find()).toBeNull()
  state.refuses = true
  await expect(find()).rejects.toMatchObject({ kind: 'unavailable' })
  Object.assign(state, { refuses: false, account: ACCOUNT })
  expect(await find()).toEqual(ACCOUNT)
})

test('an account without a number to which a domestic order can pay is none', async () => {
  // Valid, and without a clearing number inside.
  const swedish = { country: 'SE', currency: 'SEK', bban: null, iban: 'SE5460000000000806967498' }
  expect(await played({ ...ACCOUNT, ...swedish }).find()).toBeNull()
})

test('another provider has its own account', async () => {
  const [one, other] = [played(ACCOUNT), played({ ...ACCOUNT, bban: '86011117955' })]
  await one.find()
  expect(await other.find()).toEqual(other.state.account)
})
