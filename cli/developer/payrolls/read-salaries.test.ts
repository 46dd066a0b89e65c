/** Tests how a file of salaries is read, and every error with its line. */
import { expect, it } from 'vitest'
import { identifySalaries, totalOf } from './identify-salaries.ts'
import { decodeSalaries, readSalaries } from './read-salaries.ts'

const read = (text: string) => readSalaries(text, 'Salary')
const HEADER = 'name,account,amount,message,reference,endToEndId'

it.each([
  ['commas and quotes', `${HEADER}\n"Hansen, Åse ""Å""",8050 12 00011,31250.50,Lønn,,SAL-1\n`],
  [
    'semicolons and a decimal comma',
    'Name;Account;Amount;Message;endToEndId\r\n"Hansen, Åse ""Å""";8050 12 00011;31250,50;Lønn;SAL-1\r\n',
  ],
  [
    'tabs, another order and empty lines',
    'account\tname\tamount\tmessage\tendtoendid\n\n8050 12 00011\t"Hansen, Åse ""Å"""\t31250.50\tLønn\tSAL-1\n\n',
  ],
])('reads a file with %s', (_what, text) => {
  expect(read(text)).toEqual({
    rows: [
      expect.objectContaining({
        name: 'Hansen, Åse "Å"',
        account: '8050 12 00011',
        amount: '31250.50',
        remittance: { type: 'message', value: 'Lønn' },
        endToEndId: 'SAL-1',
      }),
    ],
    errors: [],
  })
})

it('gives a salary its line, also after a text of several lines, and defaults', () => {
  const { rows } = read('name,account,amount,reference\n"Åse\nHansen",80501200011,1,\nOla,80501200038,2,00018\n')
  expect(rows.map(({ line, endToEndId, remittance }) => [line, endToEndId, remittance])).toEqual([
    [2, '', { type: 'message', value: 'Salary' }],
    [4, '', { type: 'ocr', value: '00018' }],
  ])
})

it.each([
  ['no text at all', '', 1, 'unknown column ""'],
  ['an unknown column', 'name,account,amount,salary\n', 1, 'unknown column "salary". The columns are name, account'],
  ['no amounts', 'name,account\n', 1, 'no column amount'],
  ['a column twice', 'name,account,amount,Name\n', 1, 'the column name twice'],
  ['no salaries', `${HEADER}\n`, 1, 'there are no salaries'],
  [
    'too few cells',
    `${HEADER}\nOla,80501200011,1,,,A\nKari,80501200011\n`,
    3,
    'has 2 cells, and the header line has 6',
  ],
  ['a quote that does not end', `${HEADER}\n"Ola,80501200011,1,,,\n`, 2, 'is no CSV'],
  ['no name', `${HEADER}\n,80501200011,1,,,\n`, 2, 'name is empty'],
  ['an account that is none', `${HEADER}\nOla,kr 1,1,,,\n`, 2, 'account "kr 1" is not an account number'],
  ['the decimals of a spreadsheet', `${HEADER}\nOla,80504000013.0,1,,,\n`, 2, 'account "80504000013.0" is not an'],
  [
    'an exponent of a spreadsheet',
    `${HEADER}\nOla,8.0504E+10,1,,,\n`,
    2,
    'account "8.0504E+10" is not an account number',
  ],
  ['thousands separators', `${HEADER}\nOla,80501200011,"1,000.00",,,\n`, 2, 'amount "1,000.00" is not an amount'],
  ['an amount of zero', `${HEADER}\nOla,80501200011,0.00,,,\n`, 2, 'above zero'],
  ['three decimals', `${HEADER}\nOla,80501200011,1.005,,,\n`, 2, 'at most two decimals'],
  ['message and reference', `${HEADER}\nOla,80501200011,1,a,1,\n`, 2, 'reference and message are both there'],
  [
    'an endToEndId twice',
    `${HEADER}\nOla,80501200011,1,,,A\nKari,80501200011,1,,,A\n`,
    3,
    'endToEndId "A" is already that of line 2',
  ],
])('reports %s', (_what, text, line, message) => {
  const { rows, errors } = read(text)
  expect(rows.map((row) => row.line)).not.toContain(line)
  expect(errors.map((error) => [error.line, [error.column, error.message].filter(Boolean).join(' ')])).toContainEqual([
    line,
    expect.stringContaining(message),
  ])
})

const SAVED = 'name,account,amount,message\nÅse Høy,80501200011,31250.50,\nOla,80501200038,100,Lønn\n'
const identify = (bytes: Uint8Array) => {
  const { rows } = readSalaries(decodeSalaries(bytes).text, 'Salary')
  const { digest, rows: identified } = identifySalaries(rows, '2026-11-30')
  return [digest, ...identified.map(({ endToEndId }) => endToEndId)]
}
const utf8 = (text: string) => Buffer.from(text, 'utf8')

it.each<[string, Uint8Array, string]>([
  ['a byte order mark', utf8(`\uFEFF${SAVED}`), 'UTF-8'],
  ['line ends of Windows and empty lines at the end', utf8(`${SAVED.replaceAll('\n', '\r\n')}\r\n\r\n`), 'UTF-8'],
  ['no line end at the end', utf8(SAVED.trimEnd()), 'UTF-8'],
  ['an empty line before the salaries', utf8(SAVED.replace('\n', '\n\n')), 'UTF-8'],
  ['rows of empty cells', utf8(`${SAVED},,,\n`), 'UTF-8'],
  ['decomposed letters', utf8(SAVED.normalize('NFD')), 'UTF-8'],
  ['Windows-1252', Buffer.from(SAVED, 'latin1'), 'Windows-1252'],
  ['UTF-16', Buffer.from(`\uFEFF${SAVED}`, 'utf16le'), 'UTF-16'],
  ['UTF-16, the high byte first', Buffer.from(`\uFEFF${SAVED}`, 'utf16le').swap16(), 'UTF-16'],
  [
    'another order of columns, semicolons and decimal commas',
    utf8('Amount;Name;Message;Account;Reference\n31250,50;Åse Høy;;80501200011;\n100,00;"Ola";Lønn;80501200038;\n'),
    'UTF-8',
  ],
  ['accounts in another printed form', utf8(SAVED.replace('80501200011', '8050.12.00011')), 'UTF-8'],
])('identifies the same salaries saved with %s', (_how, bytes, encoding) => {
  expect(decodeSalaries(bytes).encoding).toBe(encoding)
  expect(identify(bytes)).toEqual(identify(utf8(SAVED)))
})

it('identifies each salary as the same in another order of rows, also one that is there twice', () => {
  const [header, ...lines] = `${SAVED}Ola,80501200038,100,Lønn\n`.trimEnd().split('\n')
  const [digest, ...ids] = identify(utf8([header, ...lines].join('\n')))
  const [reversedDigest, ...reversedIds] = identify(utf8([header, ...lines.toReversed()].join('\n')))
  expect(new Set(ids).size).toBe(3)
  expect(reversedIds.toSorted()).toEqual(ids.toSorted())
  expect(reversedIds.at(-1)).toBe(ids[0])
  expect(reversedDigest).not.toBe(digest)
})

it('identifies other salaries as others, and adds all of them up', () => {
  const [digest, ...ids] = identify(utf8(SAVED))
  expect(ids.toSorted()).toEqual([1, 2].map((n) => expect.stringMatching(new RegExp(`^20261130-[0-9a-f]{12}-${n}$`))))
  for (const [from, to] of [
    ['100', '100.01'],
    ['Ola', 'Olav'],
    ['80501200038', '80501200011'],
    ['Lønn', 'Bonus'],
    ['message', 'reference'],
    ['80501200011,31250.50,\nOla,80501200038', '80501200038,31250.50,\nOla,80501200011'],
  ] as const) {
    expect(identify(utf8(SAVED.replace(from, to)))[0]).not.toBe(digest)
  }
  expect(totalOf(read(SAVED).rows)).toBe('31350.50')
  expect(totalOf(read('name,account,amount\nOla,80501200038,0.05\n').rows)).toBe('0.05')
})

it('reports every error of a file at once', () => {
  const lines = Array.from({ length: 200 }, (_none, n) => `,account ${n % 10},1,,,`)
  expect(read([HEADER, ...lines].join('\n')).errors).toHaveLength(400)
})
