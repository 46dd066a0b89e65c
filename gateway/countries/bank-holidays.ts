/** Calculates bank holidays other than Saturdays and Sundays, by rule. */

/** Bank calendars: four countries, and the euro area's settlement system. */
export type CalendarName = 'NO' | 'SE' | 'DK' | 'FI' | 'TARGET'

type BankHolidayRules = {
  /** Month and day. */
  readonly fixed: readonly string[]
  /** Days after Easter Sunday. */
  readonly afterEaster: readonly number[]
  readonly moving?: (year: number) => readonly Temporal.PlainDate[]
}

const MAUNDY_THURSDAY = -3
const GOOD_FRIDAY = -2
const EASTER_MONDAY = 1
const GREAT_PRAYER_DAY = 26
const ASCENSION = 39
const WHIT_MONDAY = 50
/** Denmark abolished Great Prayer Day as a holiday from 2024. */
const GREAT_PRAYER_DAY_LAST_YEAR = 2023
const FRIDAY = 5

const rulesByCalendar: Readonly<Record<CalendarName, BankHolidayRules>> = {
  NO: {
    fixed: ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY],
  },
  SE: {
    fixed: ['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'],
    afterEaster: [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION],
    moving: (year) => [midsummerEve(year)],
  },
  DK: {
    fixed: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, ASCENSION + 1, WHIT_MONDAY],
    moving: (year) => (year <= GREAT_PRAYER_DAY_LAST_YEAR ? [easterSunday(year).add({ days: GREAT_PRAYER_DAY })] : []),
  },
  FI: {
    fixed: ['01-01', '01-06', '05-01', '12-06', '12-24', '12-25', '12-26'],
    afterEaster: [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION],
    moving: (year) => [midsummerEve(year)],
  },
  TARGET: { fixed: ['01-01', '05-01', '12-25', '12-26'], afterEaster: [GOOD_FRIDAY, EASTER_MONDAY] },
}

/** The bank holidays of a year, sorted; some may fall on a Saturday or Sunday. */
export function bankHolidays(calendar: CalendarName, year: number): readonly Temporal.PlainDate[] {
  const { fixed, afterEaster, moving } = rulesByCalendar[calendar]
  const days = [
    ...fixed.map((monthDay) => Temporal.PlainMonthDay.from(monthDay).toPlainDate({ year })),
    ...afterEaster.map((offset) => easterSunday(year).add({ days: offset })),
    ...(moving?.(year) ?? []),
  ].toSorted(Temporal.PlainDate.compare)
  // Ascension can fall on 1 May or 17 May, Whit Monday on 5 or 6 June.
  return days.filter((day, index) => index === 0 || days[index - 1]?.equals(day) !== true)
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easterSunday(year: number): Temporal.PlainDate {
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
function midsummerEve(year: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month: 6, day: 19 })
  return first.add({ days: (FRIDAY - first.dayOfWeek + 7) % 7 })
}
