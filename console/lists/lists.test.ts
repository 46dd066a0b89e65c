/** Tests what lists are made of: filters, positions, amounts and times as Nordic readers write them. */
import { describe, expect, test } from 'vitest'
import { newId } from '../../gateway/platform/ids.ts'
import { dataTable } from '../markup/data-table.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { formatTime, startOfDayForReaders } from '../markup/format-time.ts'
import { valueText } from '../markup/value-text.ts'
import { filterForm } from './filter-form.ts'
import { filterReader } from './filter-reader.ts'
import { formatPosition, LIST_ROWS, nextPageLink, pageOf, parsePosition } from './next-page.ts'

describe('a filter', () => {
  test('that makes no sense is left out, and shown next to its field with the entered value', () => {
    const query = new URLSearchParams({ from: '2026-02-30', to: '2026-02-28', id: '"><b>' })
    const filters = filterReader(query)
    const { from, to } = filters.period()
    expect([from, to?.toString(), filters.id('id')]).toEqual([undefined, '2026-02-28', undefined])
    const form = filterForm('/list', { query, errors: filters.errors }, [
      { name: 'from', label: 'From', type: 'date' },
      { name: 'to', label: 'To', type: 'date' },
      { name: 'id', label: 'records.columns.id' },
    ])
    expect(form).toContain(
      '<input type="search" name="from" value="2026-02-30" autocomplete="off" id="filter-from" aria-invalid="true" aria-describedby="filter-from-error"',
    )
    expect(form).toContain('<p class="error" id="filter-from-error">Not a date</p>')
    expect(form).not.toContain('filter-to-error')
    expect(form).toContain('value="&#34;&#62;&#60;b&#62;"')
  })

  test('that is empty excludes nothing', () => {
    const filters = filterReader(new URLSearchParams({ from: ' ' }))
    expect([filters.period().from, filters.id('id'), filters.errors.size]).toEqual([undefined, undefined, 0])
  })

  test('for a period that ends before it begins is wrong', () => {
    const filters = filterReader(new URLSearchParams({ from: '2026-02-02', to: '2026-02-01' }))
    filters.period()
    expect([...filters.errors]).toEqual([['to', 'Before the first day']])
  })
})

describe('a list', () => {
  test('has a next page when there is one row more, with the filters of this one', () => {
    const rows = Array.from({ length: LIST_ROWS + 1 }, (_, n) => n)
    expect(pageOf(rows)).toEqual({ rows: rows.slice(0, LIST_ROWS), last: LIST_ROWS - 1 })
    expect(pageOf(rows.slice(1))).toEqual({ rows: rows.slice(1), last: undefined })
    const query = new URLSearchParams({ status: 'Failed', from: '', after: 'a' })
    expect(nextPageLink('/list', query, 'b')).toContain('href="/list?status&#61;Failed&#38;after&#61;b"')
    expect(nextPageLink('/list', query, undefined)).toBe('')
  })

  test('that is empty says so', () => {
    expect(dataTable([], { 'records.columns.id': () => '' }, 'There are none.')).toBe(
      '<p class="empty">There are none.</p>',
    )
  })

  test('continues after a position to the microsecond', () => {
    const position = { createdAt: Temporal.Instant.from('2026-11-25T13:05:09.123456Z'), id: newId() }
    expect(parsePosition(formatPosition(position))).toEqual(position)
    const wrong = ['', 'x', `1_${newId()}x`, '99999999999999999_1', `1_${'-'.repeat(36)}`]
    expect(wrong.map(parsePosition)).toEqual(wrong.map(() => undefined))
  })
})

test('amounts have groups of three digits, a comma, and as many decimals as the currency', () => {
  const shown = [
    { minor: 123_456_750n, currency: 'NOK' },
    { minor: 99n, currency: 'EUR' },
    { minor: 1_000n, currency: 'JPY' },
    { minor: -100_000n, currency: 'SEK' },
  ].map((money) => formatMoneyForReaders(money).replaceAll('\u00a0', ' '))
  expect(shown).toEqual(['1 234 567,50 NOK', '0,99 EUR', '1 000 JPY', '-1 000,00 SEK'])
})

test('times are in Central European time', () => {
  expect(formatTime(Temporal.Instant.from('2026-07-01T22:05:09Z'))).toBe('02.07.2026 00:05:09')
  expect(startOfDayForReaders(Temporal.PlainDate.from('2026-07-02')).toString()).toBe('2026-07-01T22:00:00Z')
})

test('a value of JSON is shown without quotes', () => {
  const value = { max: 5, modes: ['bulk', 'file'], none: null, empty: [], inner: { text: 'a b' } }
  expect(valueText(value)).toBe('max: 5, modes: (bulk, file), none: not set, empty: not set, inner: (text: a b)')
  expect([valueText('text'), valueText(['a', 'b']), valueText(true)]).toEqual(['text', 'a, b', 'yes'])
})
