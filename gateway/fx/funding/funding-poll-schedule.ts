/** Says when the money of a signed deal is looked for at its provider, when people learn that it has not come, and how long a bank day is. */
import { addBankDays } from '../../countries/bank-days.ts'
import type { CalendarName } from '../../countries/bank-holidays.ts'
import { countryRules } from '../../countries/served-countries.ts'
import type { Deal } from '../deals/deal.ts'

/** Banks carry out their first orders of a day by then. */
const FIRST_LOOK = Temporal.PlainTime.from('06:00')
/** Money is on its way for a day at most; after the second, somebody must ask the bank. */
const OVERDUE_BANK_DAYS = 2
/** What arrives is told by the provider, too: looking is for what was not heard. */
const LOOK_SECONDS = { least: 60, most: 3600 }
/** What is overdue is looked for at this pace. */
const OVERDUE_LOOK = { hours: 24 }

const CALENDARS: Readonly<Record<string, CalendarName>> = { NO: 'NO', SE: 'SE', DK: 'DK', FI: 'FI' }

type Expected = Pick<Deal, 'fundingCountry' | 'fundingDate' | 'signedAt'>

/** From when on money that has not arrived is for people. */
export function fundsOverdueAt({ fundingCountry, fundingDate }: Expected): Temporal.Instant {
  const day = addBankDays(calendarsOf(fundingCountry), fundingDate, OVERDUE_BANK_DAYS)
  return day.toZonedDateTime(zoneOf(fundingCountry)).toInstant()
}

/** The next look: from the funding day on, the longer ago that or the signature is, the more rarely. */
export function nextLookForFunds(deal: Expected, now: Temporal.Instant): Temporal.Instant {
  const { fundingCountry, fundingDate, signedAt } = deal
  const opens = fundingDate.toZonedDateTime({ timeZone: zoneOf(fundingCountry), plainTime: FIRST_LOOK }).toInstant()
  const since = later(opens, signedAt ?? opens)
  if (Temporal.Instant.compare(now, since) < 0) {
    return since
  }
  if (Temporal.Instant.compare(now, fundsOverdueAt(deal)) >= 0) {
    return now.add(OVERDUE_LOOK)
  }
  const seconds = Math.floor(now.since(since).total('seconds') / 10)
  return now.add({ seconds: Math.min(Math.max(seconds, LOOK_SECONDS.least), LOOK_SECONDS.most) })
}

/** The same time of the next bank day of a country; of the next weekday when the country is not known. */
export function oneBankDayAfter(at: Temporal.Instant, country: string | null): Temporal.Instant {
  const local = at.toZonedDateTimeISO(zoneOf(country))
  const day = addBankDays(calendarsOf(country), local.toPlainDate(), 1)
  return day.toZonedDateTime({ timeZone: local.timeZoneId, plainTime: local.toPlainTime() }).toInstant()
}

/** Where we serve no bank, weekends are all that is known. */
function calendarsOf(country: string | null): readonly CalendarName[] {
  const calendar = country === null ? undefined : CALENDARS[country]
  return calendar === undefined ? [] : [calendar]
}

function zoneOf(country: string | null): string {
  return (country === null ? undefined : countryRules(country))?.timeZone ?? 'Europe/Oslo'
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? other : one
}
