/** Tests that the generated part of the Python client is up to date, and how it is written. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDocument } from './openapi-types.ts'
import { pythonClientFiles } from './python-client-files.ts'
import { constantCase, snakeCase, wireName } from './python-names.ts'
import { assignment, docstring, fitted, LINE_CHARACTERS_MAX, wrap } from './python-text.ts'

const files = Object.entries(pythonClientFiles(readDocument()))

describe('the generated files of the Python client', () => {
  it.each(files)('%s is up to date (after a change of the contract: npm run openapi)', (path, text) => {
    expect(readFileSync(new URL(`../src/havn/${path}`, import.meta.url), 'utf8') === text).toBe(true)
  })

  it('are laid out as their formatter does: no long lines, at most two blank ones', () => {
    const lines = files.flatMap(([path, text]) => text.split('\n').map((line, index) => ({ path, line, index })))
    // The formatter does not count the quotes that close a docstring.
    expect(lines.filter(({ line }) => line.replace(/"""$/, '').length > LINE_CHARACTERS_MAX)).toEqual([])
    expect(files.filter(([, text]) => text.includes('\n\n\n\n')).map(([path]) => path)).toEqual([])
  })

  it('have a method for each operation, in both forms of the client', () => {
    const ids = [...JSON.stringify(readDocument().paths).matchAll(/"operationId":"(\w+)"/g)].map(([, id = '']) => id)
    const [, methods = ''] = files.find(([path]) => path === '_generated/methods.py') ?? []
    const [, asyncMethods = ''] = files.find(([path]) => path === '_generated/async_methods.py') ?? []
    expect(ids.length).toBeGreaterThan(70)
    expect(ids.filter((id) => !methods.includes(`    def ${snakeCase(id)}(\n`))).toEqual([])
    expect(ids.filter((id) => !asyncMethods.includes(`    async def ${snakeCase(id)}(\n`))).toEqual([])
  })
})

describe('Python names', () => {
  it('are in snake case, and lead back to the names on the wire', () => {
    const names = { endToEndId: 'end_to_end_id', from: 'from_', svcRequestId: 'svc_request_id', id: 'id' }
    expect(Object.keys(names).map(snakeCase)).toEqual(Object.values(names))
    expect(Object.values(names).map(wireName)).toEqual(Object.keys(names))
    expect(snakeCase('cancelSCARequired')).toBe('cancel_sca_required')
  })

  it('of constants are in capitals', () => {
    const values = ['InProgress', 'webhook.test', 'PAYMENT_STATUS', '01', 'payment-form']
    const names = ['IN_PROGRESS', 'WEBHOOK_TEST', 'PAYMENT_STATUS', 'VALUE_01', 'PAYMENT_FORM']
    expect(values.map(constantCase)).toEqual(names)
  })
})

describe('a statement', () => {
  const long = 'x'.repeat(LINE_CHARACTERS_MAX)

  it('that assigns a long value has it in parentheses', () => {
    expect(assignment('a', 'b', 1)).toEqual(['a = b'])
    expect(assignment('a', long.slice(8), 1)).toEqual([`a = ${long.slice(8)}`])
    expect(assignment('a', long.slice(7), 1)).toEqual(['a = (', `    ${long.slice(7)}`, ')'])
  })

  it('that does not fit on a line has one item on each', () => {
    expect(fitted('a[', ['b', 'c'], ']')).toEqual(['a[b, c]'])
    expect(fitted('a[', ['b', long], ']')).toEqual(['a[', '    b,', `    ${long},`, ']'])
  })
})

describe('a docstring', () => {
  it('is on one line if it fits, and ends on a line of its own otherwise', () => {
    expect(docstring('An amount.', 1)).toEqual(['"""An amount."""'])
    const long = docstring('word '.repeat(40), 1)
    expect(long.at(-1)).toBe('"""')
    expect(Math.max(...long.map((line) => line.length))).toBeLessThanOrEqual(LINE_CHARACTERS_MAX - 4)
  })

  it('does not end early, and shows backslashes', () => {
    expect(docstring('Ends with "quotes"', 0)).toEqual(['"""Ends with "quotes" """'])
    expect(docstring('A \\d and a """', 0)).toEqual(['"""A \\\\d and a \'\'\'"""'])
  })

  it('indents the later lines of an item', () => {
    expect(wrap('ab cd ef', 5, '  ')).toEqual(['ab cd', '  ef'])
  })
})
