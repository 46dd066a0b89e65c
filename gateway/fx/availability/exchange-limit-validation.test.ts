/** Tests the limits on time, due date and amount of an exchange, and the error code of each operation. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBankDay } from '../../countries/bank-days.ts'
import { parseMoney } from '../../platform/money.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { CURRENCIES, currencyRules } from './currency-rules.ts'
import { EXCHANGE_LIMIT_CODES, validateExchangeLimits } from './exchange-limit-validation.ts'
import { fundingCalendars, isDueNow, payoutDate, type ServiceStatus, serviceStatusAt } from './service-hours.ts'

const HOURS = { opens: '06:00', closes: '22:00' }

/** The service at a time in Oslo, for payers of a country. */
function serviceOn(time: string, country = 'NO', mode: 'sandbox' | 'production' = 'production'): ServiceStatus {
  const now = Temporal.PlainDateTime.from(time).toZonedDateTime('Europe/Oslo').toInstant()
  return serviceStatusAt(contextOf({ clock: { now: () => now }, config: { mode, fxServiceHours: HOURS } }), country)
}

function validated(time: string, dueDate: string, [amount, currency]: readonly [string, string] = ['100', 'USD']) {
  const money = parseMoney(amount, currency) ?? { minor: 0n, currency }
  const requested = { amount: money, payoutCurrency: currency, dueDate: Temporal.PlainDate.from(dueDate) }
  return validateExchangeLimits(requested, serviceOn(time)).map(({ fault, path }) => [
    EXCHANGE_LIMIT_CODES[fault].fx,
    EXCHANGE_LIMIT_CODES[fault].crossBorder,
    path,
  ])
}

const code = (validation: string) => ({ validation })
const failure = (name: string) => ({ failure: name })

/** 24 November 2026 is a Tuesday. */
describe('the table of opening hours', () => {
  test.each([
    ['on a Saturday', '2026-11-28T12:00', '2026-11-30', 'InvalidCreationTime', code('InvalidCreationTime'), '.'],
    ['on a bank holiday', '2026-12-24T12:00', '2026-12-28', 'InvalidCreationTime', code('InvalidCreationTime'), '.'],
    ['too early, due today', '2026-11-24T05:59', '2026-11-24', 'InvalidCreationTime', failure('SERVICE_CLOSED'), '.'],
    [
      'too late, due later',
      '2026-11-24T22:00',
      '2026-11-26',
      'InvalidCreationTime',
      code('InvalidForwardExchangeServiceTime'),
      '.',
    ],
    ['too late, due today', '2026-11-24T22:00', '2026-11-24', 'InvalidCreationTime', failure('SERVICE_CLOSED'), '.'],
    ['due yesterday', '2026-11-24T12:00', '2026-11-23', 'InvalidDueDate', code('InvalidDueDate'), '.dueDate'],
    ['due today after 16:00', '2026-11-24T16:00', '2026-11-24', 'InvalidDueDate', code('InvalidDueDate'), '.dueDate'],
    ['due on a Sunday', '2026-11-24T12:00', '2026-11-29', 'InvalidDueDate', code('InvalidDueDate'), '.dueDate'],
    ['due six bank days ahead', '2026-11-24T12:00', '2026-12-02', 'InvalidDueDate', code('InvalidDueDate'), '.dueDate'],
  ])('%s', (_what, time, dueDate, fx, crossBorder, path) => {
    expect(validated(time, dueDate)).toEqual([[fx, crossBorder, path]])
  })

  test.each([
    ['due later, above that limit', '2026-11-25', ['1100000.01', 'USD'], failure('MAX_AMOUNT_EXCEEDED')],
    ['due later, above every limit', '2026-11-25', ['5600000.01', 'USD'], code('InvalidForwardAmount')],
    ['due today, above every limit', '2026-11-24', ['5600000.01', 'USD'], code('InvalidRequest')],
  ] as const)('%s', (_what, dueDate, amount, crossBorder) => {
    expect(validated('2026-11-24T12:00', dueDate, amount)).toEqual([['InvalidAmount', crossBorder, '.amount.amount']])
  })

  test.each([
    ['a currency that is never bought ahead', '2026-11-25', 'INR', code('InvalidForwardCurrency')],
    ['a currency that is not bought so far ahead', '2026-11-27', 'ZAR', failure('UNSUPPORTED_DUE_DATE')],
  ])('%s', (_what, dueDate, currency, crossBorder) => {
    expect(validated('2026-11-24T12:00', dueDate, ['1.00', currency])).toEqual([
      ['InvalidDueDate', crossBorder, '.dueDate'],
    ])
  })

  test('a currency on a day on which its own banks are closed', () => {
    // 6 January is a holiday in Sweden, and not in Norway.
    expect(validated('2027-01-05T12:00', '2027-01-06', ['1.00', 'SEK'])).toEqual([
      ['InvalidDueDate', failure('UNSUPPORTED_DUE_DATE'), '.dueDate'],
    ])
  })

  test.each([
    ['2026-11-24T06:00', '2026-11-24', ['5600000.00', 'USD']],
    ['2026-11-24T15:59', '2026-11-24', ['0.01', 'USD']],
    ['2026-11-24T21:59', '2026-11-25', ['1100000.00', 'USD']],
    ['2026-11-24T12:00', '2026-12-01', ['1.00', 'EUR']],
    ['2026-11-24T12:00', '2026-11-26', ['1.00', 'ZAR']],
    ['2026-11-24T12:00', '2026-11-24', ['1.00', 'INR']],
  ] as const)('accepts at %s due %s with %j', (time, dueDate, amount) => {
    expect(validated(time, dueDate, amount)).toEqual([])
  })
})

describe('the exchange service', () => {
  test.each([
    ['2026-11-24T05:00', '2026-11-24T06:00', '2026-11-24'],
    ['2026-11-24T16:30', '2026-11-24T16:30', '2026-11-25'],
    ['2026-11-24T23:00', '2026-11-25T06:00', '2026-11-25'],
    ['2026-11-27T22:30', '2026-11-30T06:00', '2026-11-30'],
    ['2026-12-23T23:00', '2026-12-28T06:00', '2026-12-28'],
    // The clock goes forward in that night.
    ['2027-03-27T12:00', '2027-03-30T06:00', '2027-03-30'],
  ])('at %s opens at %s, and payments are due on %s at the earliest', (time, opens, earliest) => {
    const service = serviceOn(time)
    expect(service.opensAt.toPlainDateTime().toString({ smallestUnit: 'minute' })).toBe(opens)
    expect(service.earliestDueDate.toString()).toBe(earliest)
  })

  test('says when it opens, and only in the sandbox how to move the clock there', () => {
    const reported = (mode: 'sandbox' | 'production') => {
      const requested = { amount: { minor: 1n, currency: 'USD' }, payoutCurrency: 'USD' }
      const service = serviceOn('2026-11-28T12:00', 'NO', mode)
      return validateExchangeLimits({ ...requested, dueDate: Temporal.PlainDate.from('2026-11-30') }, service)[0]
        ?.reason
    }
    expect(reported('production')).toBe('Banks are closed today. It opens at 2026-11-30T05:00:00.000Z')
    expect(reported('sandbox')).toContain('POST /api/sandbox/clock with {"set":"2026-11-30T05:00:00.000Z"}')
  })

  test('follows the calendar of the payer’s country and that of the euro area', () => {
    // 5 June is a holiday in Denmark only.
    expect(serviceOn('2026-06-05T12:00', 'DK').isOpen).toBe(false)
    expect(serviceOn('2026-06-05T12:00', 'NO').isOpen).toBe(true)
    // On 26 December Finland and the euro area are closed; 1 May is not a holiday in Denmark.
    expect(serviceOn('2026-04-30T17:00', 'DK').earliestDueDate.toString()).toBe('2026-05-04')
  })

  test('accepts payments due today now, and after 16:00 those due on the next bank day', () => {
    const day = Temporal.PlainDate.from
    expect(isDueNow(serviceOn('2026-11-24T12:00'), day('2026-11-24'))).toBe(true)
    expect(isDueNow(serviceOn('2026-11-24T12:00'), day('2026-11-25'))).toBe(false)
    expect(isDueNow(serviceOn('2026-11-24T16:00'), day('2026-11-25'))).toBe(true)
    expect(isDueNow(serviceOn('2026-11-27T16:00'), day('2026-11-30'))).toBe(true)
  })
})

describe('at any time, for any day', () => {
  const time = fc.date({ min: new Date('2026-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
  const country = fc.constantFrom('NO', 'SE', 'DK', 'FI')

  test('the earliest due date is accepted once the service is open, and so is the latest', () => {
    fc.assert(
      fc.property(time, country, (at, from) => {
        const now = Temporal.Instant.fromEpochMilliseconds(at.getTime())
        const config = { mode: 'production', fxServiceHours: HOURS } as const
        const service = serviceStatusAt(contextOf({ clock: { now: () => now }, config }), from)
        for (const dueDate of [service.earliestDueDate, service.latestDueDate]) {
          const requested = { amount: { minor: 1n, currency: 'USD' }, payoutCurrency: 'USD', dueDate }
          expect(validateExchangeLimits(requested, { ...service, isOpen: true })).toEqual([])
          expect(isBankDay(fundingCalendars(from), dueDate)).toBe(true)
        }
        const before = service.earliestDueDate.subtract({ days: 1 })
        const requested = { amount: { minor: 1n, currency: 'USD' }, payoutCurrency: 'USD', dueDate: before }
        expect(validateExchangeLimits(requested, { ...service, isOpen: true })).toHaveLength(1)
      }),
    )
  })

  test('at the time when it says it opens, it is open', () => {
    fc.assert(
      fc.property(time, country, (at, from) => {
        const config = { mode: 'production', fxServiceHours: HOURS } as const
        const now = Temporal.Instant.fromEpochMilliseconds(at.getTime())
        const { opensAt } = serviceStatusAt(contextOf({ clock: { now: () => now }, config }), from)
        expect(serviceStatusAt(contextOf({ clock: { now: () => opensAt.toInstant() }, config }), from).isOpen).toBe(
          true,
        )
      }),
    )
  })
})

describe('the table of currencies', () => {
  test('has limits for later due dates no lower than for today, and none for currencies without forwards', () => {
    expect(CURRENCIES.length).toBeGreaterThan(50)
    for (const { maxAmount, dueDateMaxDays } of CURRENCIES) {
      expect(maxAmount.dueLater === null).toBe(dueDateMaxDays === 0)
      expect((maxAmount.dueLater?.minor ?? 0n) < maxAmount.dueToday.minor).toBe(true)
    }
  })

  test('has each currency of the Nordics funded from its country', () => {
    expect(['NOK', 'SEK', 'DKK', 'EUR'].map((name) => currencyRules(name)?.fundingFrom)).toEqual([
      ['NO'],
      ['SE'],
      ['DK'],
      ['FI'],
    ])
  })
})

describe('a payout', () => {
  test.each([
    ['2026-11-24', 'NO', 'USD', 2, '2026-11-26'],
    ['2026-11-26', 'NO', 'USD', 2, '2026-11-30'],
    ['2026-03-31', 'NO', 'EUR', 2, '2026-04-07'],
    ['2027-01-05', 'NO', 'SEK', 1, '2027-01-07'],
    ['2027-01-05', 'NO', 'USD', 1, '2027-01-06'],
  ])('due %s from %s in %s after %i bank days is on %s', (due, from, currency, bankDays, expected) => {
    expect(payoutDate(Temporal.PlainDate.from(due), { country: from, currency, bankDays }).toString()).toBe(expected)
  })
})
