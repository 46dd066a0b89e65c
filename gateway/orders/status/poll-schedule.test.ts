/** Tests the polling schedule: frequent after signing, then slower, rare once final, and within a budget. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { isOverdue, nextPoll, type Polled, type PollTerms } from './poll-schedule.ts'

/** A Monday; midsummer's eve is the Friday, on which Swedish and Finnish banks are closed. */
const NOW = Temporal.Instant.from('2026-06-15T12:00:00Z')
const terms: PollTerms = { calendars: ['NO'], timeZone: 'Europe/Oslo', secondsMin: 1 }
const open: Polled = {
  id: '018f9a5e-0000-7000-8000-000000000001',
  dueDate: Temporal.PlainDate.from('2026-06-15'),
  status: 'InProgress',
  signed: true,
  pollStep: 0,
  finalSince: null,
}
const unsigned: Polled = { ...open, status: 'Unsigned', signed: false, dueDate: Temporal.PlainDate.from('2026-07-15') }

function secondsTo(polled: Polled, bank: Partial<PollTerms> = {}): number | null {
  return (
    nextPoll(polled, NOW, { ...terms, ...bank })
      ?.since(NOW)
      .total('seconds') ?? null
  )
}

/** The times of the polls of an unchanged payment, in seconds from now. */
function readsWithin(polled: Polled, seconds: number, bank: Partial<PollTerms> = {}): number[] {
  const reads: number[] = []
  const ends = NOW.add({ seconds })
  let next = nextPoll(polled, NOW, { ...terms, ...bank })
  while (next !== null && Temporal.Instant.compare(next, ends) <= 0) {
    reads.push(next.since(NOW).total('seconds'))
    next = nextPoll({ ...polled, pollStep: reads.length }, next, { ...terms, ...bank })
  }
  return reads
}

const DAY = 86_400

describe('nextPoll', () => {
  it('polls a signed payment after one second, and at least every 2.2 seconds for a quarter of a minute', () => {
    const reads = [0, ...readsWithin(open, 15)]
    expect(reads[1]).toBeLessThanOrEqual(1.1)
    expect(Math.max(...reads.slice(1).map((time, n) => time - (reads[n] ?? 0)))).toBeLessThanOrEqual(2.2)
  })

  it('stays within its budget: 9 calls in the first 15 seconds, 18 in an hour, 45 in a day, 65 in nine days', () => {
    expect(readsWithin(open, 15).length).toBeLessThanOrEqual(9)
    expect(readsWithin(open, 3600).length).toBeLessThanOrEqual(18)
    expect(readsWithin(open, DAY).length).toBeLessThanOrEqual(45)
    const future = { ...open, dueDate: Temporal.PlainDate.from('2026-06-24') }
    expect(readsWithin(future, 9 * DAY).length).toBeLessThanOrEqual(65)
    expect(readsWithin(unsigned, 10 * DAY).length).toBeLessThanOrEqual(50)
    expect(readsWithin({ ...open, status: 'Completed', finalSince: NOW }, 30 * DAY).length).toBeLessThanOrEqual(11)
  })

  it('never polls sooner than the bank allows', () => {
    expect(secondsTo(open, { secondsMin: 5 })).toBeGreaterThanOrEqual(5)
    expect(secondsTo({ ...open, pollStep: 10 }, { secondsMin: 5 })).toBeGreaterThanOrEqual(10)
  })

  it('spreads simultaneous polls by a delay that is always the same for a payment', () => {
    const slow = { ...open, pollStep: 14 }
    const waits = Array.from({ length: 100 }, () => secondsTo({ ...slow, id: newId() }) ?? 0)
    expect(new Set(waits).size).toBeGreaterThan(90)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(120)
    expect(Math.max(...waits)).toBeLessThanOrEqual(132)
    expect(secondsTo(slow)).toBe(secondsTo(slow))
  })

  it('includes the due date of a payment, and the end of the day by which it must be signed', () => {
    const tomorrow = { ...open, pollStep: 99, dueDate: Temporal.PlainDate.from('2026-06-16') }
    const begins = Temporal.Instant.from('2026-06-15T22:00:00Z').since(NOW).total('seconds')
    expect(Math.max(...readsWithin(tomorrow, begins + 3600))).toBeGreaterThanOrEqual(begins)
    const lastDay = { ...unsigned, dueDate: Temporal.PlainDate.from('2026-06-15') }
    const after = readsWithin(lastDay, begins + 3600).filter((time) => time > begins)
    expect(after.length).toBeGreaterThan(0)
  })

  it('continues as long as a payment is open, however often it was polled', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Unsigned', 'CustomerActionRequired', 'InProgress'),
        fc.boolean(),
        fc.nat({ max: 1_000_000 }),
        fc.integer({ min: -400, max: 400 }),
        (status, signed, pollStep, days) => {
          const dueDate = open.dueDate.add({ days })
          const seconds = secondsTo({ ...open, status, signed, pollStep, dueDate })
          expect(seconds).toBeGreaterThan(0)
          expect(seconds).toBeLessThanOrEqual(21_600 * 1.1)
        },
      ),
    )
  })

  it.each(['Completed', 'Rejected', 'Cancelled'] as const)(
    'polls %s for ten bank days, and then no longer',
    (status) => {
      const since = (date: string) => Temporal.Instant.from(`${date}T12:00:00Z`)
      const final = { ...open, status, pollStep: 0 }
      expect(secondsTo({ ...final, finalSince: null })).toBeGreaterThanOrEqual(3600)
      // Ten Norwegian bank days before 15 June are 1 June; 29 May is eleven.
      expect(secondsTo({ ...final, finalSince: since('2026-06-01') })).not.toBeNull()
      expect(secondsTo({ ...final, finalSince: since('2026-05-29') })).toBeNull()
      // Danish banks are closed on 5 June.
      expect(secondsTo({ ...final, finalSince: since('2026-05-29') }, { calendars: ['DK'] })).not.toBeNull()
      expect(secondsTo({ ...final, pollStep: 99, finalSince: NOW })).toBeGreaterThan(DAY)
      // Thirty for cross-border payments: from 29 April.
      expect(secondsTo({ ...final, type: 'CrossBorder', finalSince: since('2026-04-29') })).not.toBeNull()
      expect(secondsTo({ ...final, type: 'CrossBorder', finalSince: since('2026-04-28') })).toBeNull()
    },
  )
})

describe('isOverdue', () => {
  const due = Temporal.PlainDate.from('2026-06-18')
  it.each([
    // Friday and Monday.
    ['NO', '2026-06-22', false],
    ['NO', '2026-06-23', true],
    // Friday is midsummer's eve: Monday and Tuesday.
    ['SE', '2026-06-23', false],
    ['SE', '2026-06-24', true],
  ] as const)(
    'counts bank days: in %s, executed on Thursday the 18th, it is overdue on %s %s',
    (calendar, day, expected) => {
      const noon = Temporal.Instant.from(`${day}T10:00:00Z`)
      expect(isOverdue(due, noon, { calendars: [calendar], timeZone: 'Europe/Oslo' })).toBe(expected)
    },
  )
})
