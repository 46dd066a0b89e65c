/** Tests that forms are parsed as they were entered, within limits, from any sender. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { fieldName, formatDate, parseDate, parseForm, parseFormFields } from './form.ts'
import { PAGE_LANGUAGES } from './page-language.ts'

const sent = (...fields: [string, string][]) => parseFormFields(new URLSearchParams(fields))

describe('a field', () => {
  it('is what was entered, without surrounding space and unprintable characters', () => {
    expect(sent(['name', '  A\u030alesund \u0000\u0007Bygg\r\nAS ']).text('name')).toBe('Ålesund Bygg\nAS')
  })

  it('is empty when it was not sent', () => {
    expect(sent().text('name')).toBe('')
  })

  it('has the first of several values', () => {
    expect(sent(['name', 'one'], ['name', 'two']).text('name')).toBe('one')
  })

  it.each([undefined, null, 'name=x', { name: 'x' }, 7])('is empty in a body that is no form: %j', (body) => {
    expect(parseFormFields(body).text('name')).toBe('')
  })
})

describe('the body of a form', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `m${n}=1`).join('&')

  it('has a thousand fields at most', () => {
    expect([...parseForm(fields(1_000)).keys()]).toHaveLength(1_000)
    expect(() => parseForm(fields(1_001))).toThrow('A form must have at most 1000 fields')
  })
})

describe('a list', () => {
  it('has as many rows as are numbered, also where only one field of them was sent', () => {
    const form = sent(['owners.0.name', 'Kari'], ['owners.0.share', '30'], ['owners.1.share', '40'])
    expect(form.rows('owners', ['name', 'share'])).toEqual([
      { name: 'Kari', share: '30' },
      { name: '', share: '40' },
    ])
  })

  it('ends at the first gap', () => {
    expect(sent(['owners.0.name', 'Kari'], ['owners.2.name', 'Ola']).rows('owners', ['name'])).toHaveLength(1)
  })

  it('is limited, whatever was sent', () => {
    const fields = Array.from({ length: 5000 }, (_, index) => [`owners.${index}.name`, 'x'] as [string, string])
    expect(sent(...fields).rows('owners', ['name'])).toHaveLength(50)
  })

  it('is parsed as it was formatted, for any texts', () => {
    const row = fc.record({
      name: fc.string({
        unit: fc.constantFrom(...'a&=<+%é ', 'a\u030a', '\u0000', '\r', '\n', '\u202e', '\ud83d\ude00'),
      }),
      share: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const fields = rows.flatMap(({ name, share }, index): [string, string][] => [
          [fieldName('owners', index, 'name'), name],
          [fieldName('owners', index, 'share'), share],
        ])
        const read = parseFormFields(new URLSearchParams(new URLSearchParams(fields).toString())).rows('owners', [
          'name',
          'share',
        ])
        const again = read.flatMap(({ name, share }, index): [string, string][] => [
          [fieldName('owners', index, 'name'), name],
          [fieldName('owners', index, 'share'), share],
        ])
        expect(read).toHaveLength(rows.length)
        expect(sent(...again).rows('owners', ['name', 'share'])).toEqual(read)
      }),
    )
  })
})

test.each([
  ['add', { action: 'add', position: -1 }],
  ['remove.2', { action: 'remove', position: 2 }],
  ['remove.-1', { action: 'remove', position: -1 }],
  ['remove.1e9', { action: 'remove', position: -1 }],
  ['', { action: '', position: -1 }],
])('the button %j is parsed as its action', (value, pressed) => {
  expect(sent(['do', value]).pressed).toEqual(pressed)
})

test.each([
  ['24.12.1980', '1980-12-24'],
  ['4.2.1980', '1980-02-04'],
  ['24/12/1980', '1980-12-24'],
  ['24/12 1980', '1980-12-24'],
  ['24. 12. 1980', '1980-12-24'],
  ['24121980', '1980-12-24'],
  ['1980-12-24', '1980-12-24'],
  ['1980/2/4', '1980-02-04'],
  ['24.12.80', '24.12.80'],
  ['yesterday', 'yesterday'],
  ['', ''],
])('the date %j is parsed as %j', (typed, date) => {
  expect(parseDate(typed)).toBe(date)
})

test('a formatted date is parsed as the same date', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (day) => {
      const date = day.toISOString().slice(0, 10)
      for (const language of PAGE_LANGUAGES) {
        expect(parseDate(formatDate(date, language)), language).toBe(date)
      }
    }),
  )
  expect(formatDate('soon', 'nb')).toBe('soon')
  expect([formatDate('1980-12-24', 'fi'), formatDate('1980-12-24', 'sv')]).toEqual(['24.12.1980', '1980-12-24'])
})
