/** Tests the valid values of the setting of company registries, and the errors for others. */
import { expect, test } from 'vitest'
import { companyRegistries } from './company-registry-settings.ts'

function read(text: string, mode: 'sandbox' | 'production' = 'production') {
  const errors: string[] = []
  const source = { given: () => text, mode, role: 'gateway', reject: (error: string) => errors.push(error) } as const
  const settings = companyRegistries.read(source)
  return { settings, errors }
}

test('the sandbox has fictitious companies of every country, production has no registry unless one is configured', () => {
  const everywhere = { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' }
  expect(read('', 'sandbox')).toEqual({ settings: everywhere, errors: [] })
  expect(read('')).toEqual({ settings: {}, errors: [] })
  expect(read('none', 'sandbox')).toEqual({ settings: {}, errors: [] })
})

test('each country has its own registry', () => {
  expect(read('NO:brreg')).toEqual({ settings: { NO: 'brreg' }, errors: [] })
  expect(read('NO:brreg, SE:sample', 'sandbox').settings).toEqual({ NO: 'brreg', SE: 'sample' })
})

test.each([
  ['NO', 'such as NO:brreg, not "NO"'],
  ['NO:', 'not "NO:"'],
  ['no:brreg', 'not "no:brreg"'],
  ['NO:bolagsverket', 'registries: sample, brreg'],
  ['NO:constructor', 'not "NO:constructor"'],
  ['NO:brreg,', 'not ""'],
  ['SE:brreg', 'does not serve that country: "SE:brreg"'],
  ['DE:sample', 'does not serve that country: "DE:sample"'],
  ['NO:brreg,NO:brreg', 'lists NO twice'],
  ['NO:sample', 'for sandbox mode only: "NO:sample"'],
])('"%s" is rejected', (text, reason) => {
  const { errors } = read(text)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(/^HAVN_COMPANY_REGISTRIES /)
  expect(errors[0]).toContain(reason)
})
