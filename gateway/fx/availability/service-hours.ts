/** Tells whether money is exchanged at this moment, when it is again, and for which days. */
import type { Config } from '../../config/config.ts'
import { isBankDay, nextBankDay } from '../../countries/bank-days.ts'
import { calendarOf } from '../../countries/execution-day.ts'
import type { Clock } from '../../platform/clock.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { lastFundingDay, nextFundingDay, SERVICE_ZONE } from './fx-calendar.ts'

/** What is ordered later in the day is due on the next bank day at the earliest. */
export const DUE_TODAY_UNTIL = Temporal.PlainTime.from('16:00')

/** The service at one moment, for payers of one country. */
export type Service = {
  readonly country: string
  readonly today: Temporal.PlainDate
  /** Whether banks of the country are open today. */
  readonly isBankDay: boolean
  /** Whether orders are taken now. */
  readonly isOpen: boolean
  /** Whether it is after the hour until which a payment may be due today. */
  readonly isLate: boolean
  /** When orders are taken next; now, while they are. */
  readonly opensAt: Temporal.ZonedDateTime
  readonly earliestDueDate: Temporal.PlainDate
  readonly latestDueDate: Temporal.PlainDate
  /** Whether the clock is one that partners can move. */
  readonly isSandbox: boolean
}

/** What tells the hours. */
export type HoursTold = {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'mode' | 'fxServiceHours'>
}

/** The service now. */
export function serviceAt({ clock, config }: HoursTold, country: string): Service {
  const now = clock.now().toZonedDateTimeISO(SERVICE_ZONE)
  const [today, time] = [now.toPlainDate(), now.toPlainTime()]
  const calendars = [calendarOf(country)]
  const opens = Temporal.PlainTime.from(config.fxServiceHours.opens)
  const closes = Temporal.PlainTime.from(config.fxServiceHours.closes)
  const isBankDayToday = isBankDay(calendars, today)
  const [isEarly, isOver] = [isBefore(time, opens), !isBefore(time, closes)]
  const isOpen = isBankDayToday && !isEarly && !isOver
  const openingDay = nextBankDay(calendars, isOver ? today.add({ days: 1 }) : today)
  const isLate = !isBefore(time, DUE_TODAY_UNTIL)
  return {
    country,
    today,
    isBankDay: isBankDayToday,
    isOpen,
    isLate,
    opensAt: isOpen ? now : openingDay.toZonedDateTime({ timeZone: SERVICE_ZONE, plainTime: opens }),
    earliestDueDate: nextFundingDay(country, isLate ? today.add({ days: 1 }) : today),
    latestDueDate: lastFundingDay(country, today),
    isSandbox: config.mode === 'sandbox',
  }
}

/** When orders are taken again, as a sentence for people; in the sandbox it says how to get there at once. */
export function tellOpening({ opensAt, isSandbox }: Pick<Service, 'opensAt' | 'isSandbox'>): string {
  const opens = printTimestamp(opensAt.toInstant())
  const shortcut = isSandbox ? `; POST /api/sandbox/clock with {"set":"${opens}"} moves the time there` : ''
  return `It opens at ${opens}${shortcut}`
}

function isBefore(one: Temporal.PlainTime, other: Temporal.PlainTime): boolean {
  return Temporal.PlainTime.compare(one, other) < 0
}

/** Whether a payment's money is taken today, or first thing on the next bank day: nothing will come in before. */
export function isDueNow(
  { today, isLate, earliestDueDate }: Pick<Service, 'today' | 'isLate' | 'earliestDueDate'>,
  dueDate: Temporal.PlainDate,
): boolean {
  return dueDate.equals(today) || (isLate && dueDate.equals(earliestDueDate))
}
