/** Guarantees that no cell of our CSV is a formula in a spreadsheet, and that each is read back as it was. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows } from '../entries/testing/csv-rows.ts'
import { csvLine, textOfCell } from './csv-line.ts'

const written = (text: string) => csvRows(csvLine([text]))[0]?.[0] ?? expect.fail('no cell')

test.each([
  ['=1+1', "'=1+1"],
  [' =1+1', " '=1+1"],
  ['\u00a0\u200b\ufeff=1', "\u00a0\u200b\ufeff'=1"],
  ['a;=1+1', "a;'=1+1"],
  ['a;"=1+1"', 'a;"\'=1+1"'],
  ['a; \t@x', "a; \t'@x"],
  ['a,-1', "a,'-1"],
  ['a|+1', "a|'+1"],
  ['a\r\n=1', "a\r\n'=1"],
  ['\t=1', "\t'=1"],
  ['＝1;＋1;－1;＠1;﹦1;\u22121', "'＝1;'＋1;'－1;'＠1;'﹦1;'\u22121"],
  ["'=1", "''=1"],
  ["Kari's, 'x'", "Kari's, ''x'"],
  ['2026-01-01; a-b; c=d', '2026-01-01; a-b; c=d'],
  ['', ''],
])('%j is written as %j', (text, cell) => {
  expect(written(text)).toBe(cell)
  expect(textOfCell(cell)).toBe(text)
})

/** A spreadsheet that ends cells at this separator, trims them, and removes quotes. */
const cellsSplitAt = (separator: string, line: string) =>
  line.split(new RegExp(`[${separator}\\r\\n]`)).map((cell) => cell.replaceAll(/[\s"\p{Cc}\p{Cf}]/gu, ''))

test('whatever the texts, no spreadsheet finds a formula, and reading returns them', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@;,|\t\r\n "\'a1', '＝', '\u00a0', '\u0000') })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
      const line = csvLine(cells)
      for (const separator of [';', ',', '\t', '|']) {
        expect(cellsSplitAt(separator, line).filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([])
      }
      expect(csvRows(line)[0]?.map(textOfCell)).toEqual(cells)
    }),
  )
})
