/** Shows what the setting of company registries may say, and how what it may not say names itself. */
import { expect, test } from 'vitest'
import { readCompanyRegistries } from './company-registry-settings.ts'

function read(text: string, mode: 'sandbox' | 'production' = 'production') {
  const problems: string[] = []
  const settings = readCompanyRegistries({ name: 'HAVN_COMPANY_REGISTRIES', text }, { mode, problems })
  return { settings, problems }
}

test('the sandbox has invented companies of every country, production has no registry unless one is named', () => {
  const everywhere = { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' }
  expect(read('', 'sandbox')).toEqual({ settings: everywhere, problems: [] })
  expect(read('')).toEqual({ settings: {}, problems: [] })
  expect(read('none', 'sandbox')).toEqual({ settings: {}, problems: [] })
})

test('each country has its own', () => {
  expect(read('NO:brreg')).toEqual({ settings: { NO: 'brreg' }, problems: [] })
  expect(read('NO:brreg, SE:sample', 'sandbox').settings).toEqual({ NO: 'brreg', SE: 'sample' })
})

test.each([
  ['NO', 'such as NO:brreg, not "NO"'],
  ['NO:', 'not "NO:"'],
  ['no:brreg', 'not "no:brreg"'],
  ['NO:bolagsverket', 'there are: sample, brreg'],
  ['NO:constructor', 'not "NO:constructor"'],
  ['NO:brreg,', 'not ""'],
  ['SE:brreg', 'no companies of that country: "SE:brreg"'],
  ['DE:sample', 'no companies of that country: "DE:sample"'],
  ['NO:brreg,NO:brreg', 'names NO twice'],
  ['NO:sample', 'for sandbox mode only: "NO:sample"'],
])('"%s" is refused', (text, reason) => {
  const { problems } = read(text)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^HAVN_COMPANY_REGISTRIES /)
  expect(problems[0]).toContain(reason)
})
