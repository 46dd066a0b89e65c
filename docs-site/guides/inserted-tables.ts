/** Renders the tables of the guides that come from data: bank holidays, and the companies for each outcome of an onboarding. */
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import { bankHolidays, type CalendarName } from '../../gateway/countries/bank-days.ts'
import {
  ASCENSION,
  EASTER_MONDAY,
  easterSunday,
  GOOD_FRIDAY,
  MAUNDY_THURSDAY,
  midsummerEve,
  WHIT_MONDAY,
} from '../../gateway/countries/bank-holidays.ts'
import type { DocsSettings } from '../docs-settings.ts'

/** The Markdown of each table, by the name that guides insert it with. */
export const INSERTED_TABLES: Readonly<Record<string, (place: DocsSettings) => string>> = {
  'bank-holidays': bankHolidayTable,
  'onboarding-outcomes': onboardingOutcomes,
}

const CALENDARS = {
  Norway: 'NO',
  Sweden: 'SE',
  Denmark: 'DK',
  Finland: 'FI',
  'Euro area': 'TARGET',
} as const satisfies Record<string, CalendarName>
/** Long enough that days which fall together in one year are apart in another. */
const FIRST_YEAR = 2026
const YEARS = 20

type DayOfYear = (year: number) => Temporal.PlainDate
const fixed =
  (month: number, day: number): DayOfYear =>
  (year) =>
    Temporal.PlainDate.from({ year, month, day })
const afterEaster =
  (days: number): DayOfYear =>
  (year) =>
    easterSunday(year).add({ days })

const HOLIDAYS: readonly (readonly [name: string, dayOf: DayOfYear])[] = [
  ['1 January', fixed(1, 1)],
  ['6 January', fixed(1, 6)],
  ['Maundy Thursday', afterEaster(MAUNDY_THURSDAY)],
  ['Good Friday', afterEaster(GOOD_FRIDAY)],
  ['Easter Monday', afterEaster(EASTER_MONDAY)],
  ['1 May', fixed(5, 1)],
  ['17 May', fixed(5, 17)],
  ['Ascension Day', afterEaster(ASCENSION)],
  ['the day after', afterEaster(ASCENSION + 1)],
  ['Whit Monday', afterEaster(WHIT_MONDAY)],
  ['5 June', fixed(6, 5)],
  ['6 June', fixed(6, 6)],
  ['Midsummer Eve', midsummerEve],
  ['6 December', fixed(12, 6)],
  ['24 December', fixed(12, 24)],
  ['25 December', fixed(12, 25)],
  ['26 December', fixed(12, 26)],
  ['31 December', fixed(12, 31)],
]

/** Throws where a bank holiday is in no row. */
function bankHolidayTable(): string {
  const years = Array.from({ length: YEARS }, (_, index) => FIRST_YEAR + index)
  const columns = Object.values(CALENDARS).map((calendar) => {
    const closed = new Set(years.flatMap((year) => bankHolidays(calendar, year)).map(String))
    const rows = HOLIDAYS.map(([, dayOf]) => years.map((year) => dayOf(year).toString()))
    const isHoliday = rows.map((days) => days.every((day) => closed.has(day)))
    const unlisted = closed.difference(new Set(rows.filter((_, row) => isHoliday[row]).flat()))
    if (unlisted.size > 0) {
      throw new Error(`Bank holidays of ${calendar} are in no row of the table: ${[...unlisted].join(', ')}`)
    }
    return isHoliday
  })
  const rows = HOLIDAYS.map(([name], row) => [name, ...columns.map((column) => (column[row] ? 'closed' : '–'))])
  return table(['Day', ...Object.keys(CALENDARS)], rows)
}

/** Only for countries whose registry is the sample. */
function onboardingOutcomes({ companyRegistries }: Pick<DocsSettings, 'companyRegistries'>): string {
  const scripted = [...sample.companies, ...sample.absent].filter(
    ({ countryCode }) => companyRegistries[countryCode] === 'sample',
  )
  const rows = scripted.map((company) => {
    const { countryCode, organisationNumber, script } = company
    const name = 'name' in company ? escaped(company.name) : 'Not registered'
    const reason = script.statusReason === null ? '' : `, \`${script.statusReason}\``
    return [`${name}, ${countryCode} \`${organisationNumber}\``, `\`${script.status}\`${reason}`, escaped(script.about)]
  })
  const byOutcome = rows.toSorted(([, one = ''], [, other = '']) => one.localeCompare(other, 'en'))
  return rows.length === 0 ? '' : table(['Company', 'Outcome', 'Why'], byOutcome)
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** Names of companies contain any character. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&')
}
