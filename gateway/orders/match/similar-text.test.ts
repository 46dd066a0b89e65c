/** Tests which texts of entries count as those of payments. */
import { expect, test } from 'vitest'
import { isSimilarText } from './match-entries.ts'

test.each([
  ['Lønn juni Ærø', 'LONN JUNI AERO'],
  ['Lønn juni Ærø', 'LOENN JUNI AEROE'],
  ['Lønn juni Ærø', 'LONN JUNI ARO'],
  ['Lønn juni Ærø', 'Lonn/Juni-Aer'],
  ['Råstoff Ålesund', 'RAASTOFF AALESUND'],
  ['Råstoff Ålesund', 'RASTOFF ALESUND'],
  ['Löner Växjö Åre', 'LOENER VAEXJOE AARE'],
  ['Löner Växjö Åre', 'LONER VAXJO ARE'],
  ['Café Müller Straße Þór', 'CAFE MUELLER STRASSE THOR'],
  ['Jota Erik, faktura 7', 'JOTAERIKFAKTURA7'],
  ['Faktura 4711', '  FAKTURA\u00a0 4711  / REF 9'],
  ['2345676', '0000000000002345676'],
])('%j and %j are similar', (ordered, reported) => {
  expect([isSimilarText(ordered, reported), isSimilarText(reported, ordered)]).toEqual([true, true])
})

test.each([
  ['Lønn juni', 'Lønn juli'],
  ['Faktura 4711', 'Faktura 4712'],
  ['Bergen', 'Borgen'],
])('%j and %j are not', (ordered, reported) => {
  expect(isSimilarText(ordered, reported)).toBe(false)
})
