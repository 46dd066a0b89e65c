/** Calculates bank holidays other than Saturdays and Sundays, by the rules of a country or of TARGET. */

export type BankHolidayRules = {
  /** Month and day. */
  readonly fixed: readonly string[]
  /** Days after Easter Sunday. */
  readonly afterEaster: readonly number[]
  readonly moving?: (year: number) => readonly Temporal.PlainDate[]
}

export const MAUNDY_THURSDAY = -3
export const GOOD_FRIDAY = -2
export const EASTER_MONDAY = 1
export const ASCENSION = 39
export const WHIT_MONDAY = 50
const FRIDAY = 5

/** The closing days of TARGET, the settlement system of the euro area. The calendar of a country is in its own folder. */
export const TARGET_HOLIDAYS: BankHolidayRules = {
  fixed: ['01-01', '05-01', '12-25', '12-26'],
  afterEaster: [GOOD_FRIDAY, EASTER_MONDAY],
}

/** The bank holidays of a year, sorted; some may fall on a Saturday or Sunday. */
export function bankHolidaysOf(
  { fixed, afterEaster, moving }: BankHolidayRules,
  year: number,
): readonly Temporal.PlainDate[] {
  const days = [
    ...fixed.map((monthDay) => Temporal.PlainMonthDay.from(monthDay).toPlainDate({ year })),
    ...afterEaster.map((offset) => easterSunday(year).add({ days: offset })),
    ...(moving?.(year) ?? []),
  ].toSorted(Temporal.PlainDate.compare)
  // Ascension can fall on 1 May or 17 May, Whit Monday on 5 or 6 June.
  return days.filter((day, index) => index === 0 || days[index - 1]?.equals(day) !== true)
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterSunday(year: number): Temporal.PlainDate {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Temporal.PlainDate.from({ year, month: Math.floor(days / 31), day: (days % 31) + 1 })
}

/** The Friday from 19 to 25 June. */
export function midsummerEve(year: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month: 6, day: 19 })
  return first.add({ days: (FRIDAY - first.dayOfWeek + 7) % 7 })
}
