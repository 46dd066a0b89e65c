/** Computes until when a consent is valid: to the end of a day in the bank's time zone, as long as the bank permits. */
import type { Bank } from '../../banks/connector/bank.ts'
import type { Context } from '../../context.ts'

/** The longest validity of the bank's profile. */
export function maxValidUntil(context: Context, bank: Bank): Temporal.Instant {
  return endOfDay(requestedLastDay(context, bank), bank)
}

/** The last day as users and banks state it: the consent ends with that day. */
export function lastValidDay(end: Temporal.Instant, { profile }: Bank): Temporal.PlainDate {
  return end.subtract({ milliseconds: 1 }).toZonedDateTimeISO(profile.timeZone).toPlainDate()
}

/** The last day of the longest validity. */
export function requestedLastDay({ clock }: Context, { profile }: Bank): Temporal.PlainDate {
  return clock.today(profile.timeZone).add({ days: profile.maxConsentValidityDays })
}

/** Consents are valid until the end of a day in the bank's time zone. */
export function endOfDay(day: Temporal.PlainDate, { profile }: Bank): Temporal.Instant {
  return day.add({ days: 1 }).toZonedDateTime(profile.timeZone).toInstant()
}
