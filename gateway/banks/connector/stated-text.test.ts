/** Shows which texts of banks stand for nothing, and that no other is lost. */
import { expect, test } from 'vitest'
import { comparableNumber, statedText } from './bank-text.ts'

test.each([
  ...[
    null,
    undefined,
    '',
    ' ',
    '\t\u00a0',
    '\u200b\ufeff',
    '-',
    '--',
    '\u2013',
    '.',
    '...',
    '\u2026',
    '?',
    '/',
    '*',
    '_',
  ],
  ...['NOTPROVIDED', 'notprovided', 'NOT PROVIDED', 'Not-Provided', 'not_provided', ' NOTPROVIDED ', 'NOTPROVIDED.'],
  ...[
    'N/A',
    'n.a.',
    'NA',
    'unknown',
    'Unknown',
    'none',
    'null',
    'undefined',
    'ukjent',
    'OKÄND',
    'oka\u0308nd',
    '0',
    '0000',
  ],
  ...['X'.repeat(3), 'xxxxxxxx', 'ＮＯＴＰＲＯＶＩＤＥＤ'],
])('%j stands for nothing', (text) => {
  expect(statedText(text)).toBeNull()
})

test.each([
  ['INV-1', 'INV-1'],
  [' INV-1\u200b', 'INV-1'],
  ['a - b', 'a - b'],
  ['00018', '00018'],
  ['NAOMI', 'NAOMI'],
  ['None AS', 'None AS'],
  ['NOTPROVIDED2', 'NOTPROVIDED2'],
  ['X', 'X'],
])('%j is %j', (text, stated) => {
  expect(statedText(text)).toBe(stated)
})

test.each(['****1234', '1234 •••• 5678', 'xxxx1234', 'NO93########', '-'])(
  'the number %s is compared with none',
  (number) => {
    expect(comparableNumber(number)).toBeNull()
  },
)
