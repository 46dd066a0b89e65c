/** Computes when to poll the provider for the funds of a deal, when they are overdue, and how long they are held. */

import { addBankDays, type CalendarName } from '../../countries/bank-days.ts'
import { countryRules, isServedCountry, rulesByCountry } from '../../countries/served-countries.ts'
import { laterOf } from '../../platform/clock.ts'
import type { Deal } from '../store/deal.ts'

/** Banks execute the first orders of a day by then. */
const FIRST_POLL = Temporal.PlainTime.from('06:00')
/** Funds arrive within one bank day; after the second, an operator must ask the bank. */
const OVERDUE_BANK_DAYS = 2
/** The provider also notifies of inbound funds: polling finds what a lost notification missed. */
const POLL_SECONDS = { least: 60, most: 3600 }
/** Polling interval for overdue funds. */
const OVERDUE_POLL = { hours: 24 }

type Expected = Pick<Deal, 'fundingCountry' | 'fundingDate' | 'signedAt'>

/** From when on an operator task is raised for funds that have not arrived. */
export function fundsOverdueAt({ fundingCountry, fundingDate }: Expected): Temporal.Instant {
  const day = addBankDays(calendarsOf(fundingCountry), fundingDate, OVERDUE_BANK_DAYS)
  return day.toZonedDateTime(zoneOf(fundingCountry)).toInstant()
}

/** The next poll: from the funding day on, at intervals that grow with the time since that day or the signature. */
export function nextFundingPollAt(deal: Expected, now: Temporal.Instant): Temporal.Instant {
  const { fundingCountry, fundingDate, signedAt } = deal
  const opens = fundingDate.toZonedDateTime({ timeZone: zoneOf(fundingCountry), plainTime: FIRST_POLL }).toInstant()
  const since = laterOf(opens, signedAt ?? opens)
  if (Temporal.Instant.compare(now, since) < 0) {
    return since
  }
  if (Temporal.Instant.compare(now, fundsOverdueAt(deal)) >= 0) {
    return now.add(OVERDUE_POLL)
  }
  const seconds = Math.floor(now.since(since).total('seconds') / 10)
  return now.add({ seconds: Math.min(Math.max(seconds, POLL_SECONDS.least), POLL_SECONDS.most) })
}

/** The same time on the next bank day of a country, or on the next weekday when the country is unknown. */
export function addOneBankDay(at: Temporal.Instant, country: string | null): Temporal.Instant {
  const local = at.toZonedDateTimeISO(zoneOf(country))
  const day = addBankDays(calendarsOf(country), local.toPlainDate(), 1)
  return day.toZonedDateTime({ timeZone: local.timeZoneId, plainTime: local.toPlainTime() }).toInstant()
}

/** Where we serve no bank, only weekends are known. */
function calendarsOf(country: string | null): readonly CalendarName[] {
  return country !== null && isServedCountry(country) ? [country] : []
}

function zoneOf(country: string | null): string {
  return (country === null ? undefined : countryRules(country))?.timeZone ?? rulesByCountry.NO.timeZone
}
