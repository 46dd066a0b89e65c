/** Tests that each country has the configured registry, and the possible results of looking up a company. */
import { expect, test } from 'vitest'
import type { RegistrySettings } from '../config/company-registry-settings.ts'
import { movableClock } from '../platform/clock.ts'
import { lookUpCompany } from './company-registry.ts'
import { openRegistries } from './open-registries.ts'

const clock = movableClock()
const open = (settings: RegistrySettings) => openRegistries(settings, { clock, observe: () => undefined })

test('a country has the registry that is configured for it, and none otherwise', async () => {
  const registries = open({ NO: 'brreg', SE: 'sample' })
  expect(registries.of('SE')).not.toBeNull()
  expect(registries.of('NO')).not.toBe(registries.of('SE'))
  expect([registries.of('DK'), registries.of('constructor'), open({}).of('NO')]).toEqual([null, null, null])
  await registries.close()
})

test('a look-up finds a company, or returns why there is none', async () => {
  const registries = open({ NO: 'sample' })
  const lookUp = (country: string, number: string) => lookUpCompany({ registries }, country, number)
  expect(await lookUp('NO', '987654406')).toMatchObject({ outcome: 'found', company: { name: 'Fjordgløtt Bakeri AS' } })
  expect(await lookUp('NO', '987654589')).toEqual({ outcome: 'unknown' })
  expect(await lookUp('SE', '5599901104')).toEqual({ outcome: 'no-registry' })
  expect(await lookUp('NO', '987654597')).toEqual({
    outcome: 'unavailable',
    reason: 'The sample companies file marks this number as unavailable',
  })
})

test('an error of ours is not reported as an unavailable registry', async () => {
  const broken = {
    of: () => ({ find: () => Promise.reject(new TypeError('a fault of ours')) }),
    close: async () => undefined,
  }
  await expect(lookUpCompany({ registries: broken }, 'NO', '987654406')).rejects.toThrow('a fault of ours')
})
