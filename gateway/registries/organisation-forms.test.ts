/** Tests which organisations are accepted, and that an unknown legal form needs a manual review. */
import { expect, test } from 'vitest'
import { SERVED_COUNTRIES } from '../countries/served-countries.ts'
import { organisationFormSupport } from './organisation-forms.ts'

test.each([
  ['NO', ['AS', 'ENK'], ['NUF', 'STI', 'KOMM'], ['BRL', 'FLI', 'KBO', 'BEDR']],
  ['SE', ['AB', 'HB'], ['FL', 'S'], ['BRF', 'I']],
  ['DK', ['APS', 'A/S'], ['FIL', 'ERF'], ['FFO', 'AND']],
  ['FI', ['OY', 'TMI'], ['SL', 'SÄÄ'], ['AOY', 'RY']],
])(
  '%s: companies are accepted, branches and foundations with documents, housing and associations are not',
  (country, ...forms) => {
    const [supported, documents, unsupported] = forms.map((codes) =>
      codes.map((code) => organisationFormSupport(country, code).support),
    )
    expect(new Set(supported)).toEqual(new Set(['supported']))
    expect(new Set(documents)).toEqual(new Set(['documents']))
    expect(new Set(unsupported)).toEqual(new Set(['unsupported']))
  },
)

test('has the reason for a rejection', () => {
  expect(organisationFormSupport('NO', 'BRL')).toEqual({
    support: 'unsupported',
    reason: 'It is a housing cooperative or company, owned by its residents.',
  })
})

test.each(['', 'XYZ', 'constructor', 'as'])('leaves the unknown form "%s" to a manual review', (form) => {
  for (const country of [...SERVED_COUNTRIES, 'DE', 'constructor']) {
    expect(organisationFormSupport(country, form)).toEqual({
      support: 'documents',
      reason: 'Its organisation form is unknown.',
    })
  }
})
