/** Tests that every list of the command line is readable, parsed by `awk` and as JSON, and says so when it is empty. */
import { afterEach, expect, test, vi } from 'vitest'
import { factLines, printTable, type Table, tableOf } from './print-table.ts'

afterEach(() => vi.restoreAllMocks())

const tasks: Table = {
  rows: [
    {
      task: '1',
      'open since': { value: '2026-11-23T09:00:00Z', shown: '2 h' },
      roles: ['payer', 'reader'],
      payment: null,
      tries: 3,
    },
  ],
  whenEmpty: 'No open tasks.',
}

function printed(table: Table, options: { readonly json?: boolean }): string {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  log.mockClear()
  printTable(table, options)
  return log.mock.calls.flat().join('\n')
}

test('columns are as wide as their widest cell', () => {
  const table = tableOf({ rows: [{ bic: 'FJORNO22', name: 'Fjordbanken' }], whenEmpty: 'The directory has no banks.' })
  expect(table).toBe('BIC       NAME\nFJORNO22  Fjordbanken')
})

test('a text of others forges no row, and no sequence that a terminal obeys', () => {
  const table = tableOf({
    rows: [{ name: 'Eva\nMallory  admin', browser: '\u001b[2J\u009b1A\u202exedoc\r' }],
    whenEmpty: '',
  })
  expect(table.split('\n')[1]).toBe('Eva Mallory  admin  \ufffd[2J\ufffd1A\ufffdxedoc')
  expect(factLines([['name', 'Eva\u0007\nrole  admin']])).toEqual(['name  Eva\ufffd role  admin'])
})

test('an empty list prints a message instead of headings, and an empty array as JSON', () => {
  expect(printed({ ...tasks, rows: [] }, {})).toBe('No open tasks.')
  expect(printed({ ...tasks, rows: [] }, { json: true })).toBe('[]')
})

test('a table shows ages and lists as text, and JSON has their values', () => {
  expect(printed(tasks, {})).toBe(
    'TASK  OPEN SINCE  ROLES          PAYMENT  TRIES\n1     2 h         payer, reader  -        3',
  )
  expect(JSON.parse(printed(tasks, { json: true }))).toEqual([
    { task: '1', openSince: '2026-11-23T09:00:00Z', roles: ['payer', 'reader'], payment: null, tries: 3 },
  ])
})
