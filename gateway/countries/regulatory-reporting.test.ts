/** Tests the errors of regulatory reporting, and its thresholds. */
import { describe, expect, test } from 'vitest'
import { type Money, parseMoney } from '../platform/money.ts'
import { type ReportingDeclaration, reportingFindings, reportingTerms } from './regulatory-reporting.ts'

function money(amount: string, currency: string): Money {
  const parsed = parseMoney(amount, currency)
  if (parsed === undefined) {
    throw new Error(`${amount} ${currency} is no amount`)
  }
  return parsed
}

const below = money('100000.00', 'NOK')
const above = money('100000.01', 'NOK')
const goods = { code: '14', information: 'Invoice 20455' }

function found(country: string, value: Money, reporting?: ReportingDeclaration) {
  return reportingFindings(country, value, reporting).map(({ part, fault, isWarning }) => [part, fault, isWarning])
}

describe('regulatory reporting', () => {
  test.each([
    ['NO', '100000.00', 'NOK', []],
    ['NO', '100000.01', 'NOK', [['regulatoryReporting', 'missing', false]]],
    ['SE', '150000.00', 'SEK', []],
    ['SE', '150000.01', 'SEK', [['regulatoryReporting', 'missing', false]]],
    ['DK', '9000000.00', 'DKK', []],
    ['FI', '9000000.00', 'EUR', []],
  ])('from %s of %s %s without a code returns %j', (country, amount, currency, findings) => {
    expect(found(country, money(amount, currency))).toEqual(findings)
  })

  test('is accepted above the threshold and below it', () => {
    expect([found('NO', above, goods), found('NO', below, goods)]).toEqual([[], []])
    expect(found('SE', money('1.00', 'SEK'), { code: '101' })).toEqual([])
  })

  test('accepts every listed code', () => {
    const counts = ['NO', 'SE'].map((country) => {
      const codes = reportingTerms(country)?.codes ?? []
      const value = money('1.00', country === 'NO' ? 'NOK' : 'SEK')
      expect(codes.flatMap(({ code }) => found(country, value, { code }))).toEqual([])
      return codes.length
    })
    expect(counts).toEqual([16, 84])
  })

  test.each([
    ['NO', '99', false],
    ['NO', '101', false],
    ['NO', '', false],
    ['SE', '999', true],
    ['SE', '14', false],
    ['SE', '10A', false],
  ])('from %s: the code %j is unknown; accepted with a warning: %s', (country, code, isWarning) => {
    const value = money('1.00', country === 'NO' ? 'NOK' : 'SEK')
    expect(found(country, value, { code })).toEqual([['code', 'code-unknown', isWarning]])
  })

  test('warns in Norway about missing information above the threshold', () => {
    expect(found('NO', above, { code: '14' })).toEqual([['information', 'information-missing', true]])
    expect(found('NO', above, { code: '14', information: ' ' })).toEqual([['information', 'information-missing', true]])
    expect(found('NO', below, { code: '14' })).toEqual([])
  })

  test('accepts 35 characters of information in Norway and none in Sweden', () => {
    const information = 'x'.repeat(35)
    expect(found('NO', above, { code: '14', information })).toEqual([])
    expect(found('NO', above, { code: '14', information: `${information}x` })).toEqual([
      ['information', 'information-too-long', false],
    ])
    expect(found('NO', above, { code: '14', information: 'Kjøp av målere' })).toEqual([])
    expect(found('NO', above, { code: '14', information: 'Kjøp\nav målere' })).toEqual([
      ['information', 'information-characters', false],
    ])
    expect(found('SE', money('1.00', 'SEK'), { code: '101', information: 'x' })).toEqual([
      ['information', 'information-not-applicable', false],
    ])
  })

  test.each(['DK', 'FI', 'DE', 'constructor'])('from %s is not applicable', (country) => {
    expect(found(country, money('1.00', 'EUR'), goods)).toEqual([['regulatoryReporting', 'not-applicable', false]])
    expect(found(country, money('1.00', 'EUR'))).toEqual([])
  })

  test('reports the amount above which it is required', () => {
    expect(reportingFindings('NO', above, undefined)[0]?.reason).toBe(
      'is missing: payments above 100000.00 NOK are reported',
    )
  })

  test('compares amounts in one currency only', () => {
    expect(() => reportingFindings('NO', money('1.00', 'SEK'), goods)).toThrow('NOK, not in SEK')
  })
})
