/** Reads the filters of a list from its URL. */
import { checkOrganisationNumber, SERVED_COUNTRIES } from '../../gateway/countries/served-countries.ts'
import type { CreatedFilter, ListPosition } from '../../gateway/partners/partner-rows.ts'
import { withPlainSeparators } from '../../gateway/platform/copied-text.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { startOfDayForReaders } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { AFTER_PARAMETER, parsePosition } from './next-page.ts'

/** Days, the last one of which is included, and the moments at which they begin and end. */
type Period = Pick<CreatedFilter, 'createdFrom' | 'createdBefore'> & {
  readonly from: Temporal.PlainDate | undefined
  readonly to: Temporal.PlainDate | undefined
}

export type FilterReader = {
  /** The error of each filter by its name; shown next to the field. */
  readonly errors: ReadonlyMap<string, string>
  /** Says what is wrong with a filter. */
  reject(name: string, message: string): void
  /** The value of a filter. One that `parse` does not understand is left out and gets the message. */
  read<Parsed>(name: string, parse: (text: string) => Parsed | undefined, message: string): Parsed | undefined
  /** The filters `from` and `to`: days such as `2026-11-25`. */
  period(): Period
  id(name: string): string | undefined
  /** After which row the page begins. */
  position(): ListPosition | undefined
  /** A company's number as it is stored. */
  organisationNumber(name: string): string | undefined
  /** One of the values that the field lets choose. */
  choice<Value extends string>(name: string, values: readonly Value[], message: string): Value | undefined
}

/** At most so many characters, none of which PostgreSQL cannot store: any other text is not parsed. */
const READABLE = /^\P{Cc}{1,500}$/u
const ORGANISATION_NUMBER = /^[\d-]{1,20}$/

export function filterReader(query: URLSearchParams): FilterReader {
  const errors = new Map<string, string>()
  const read: FilterReader['read'] = (name, parse, message) => {
    const text = (query.get(name) ?? '').trim()
    const parsed = text === '' || !READABLE.test(text) ? undefined : parse(text)
    if (text !== '' && parsed === undefined) {
      errors.set(name, message || consoleText('filters.notReadable'))
    }
    return parsed
  }
  const day = (name: string) => read(name, parseDay, consoleText('filters.noDay'))
  return {
    errors,
    reject: (name, message) => errors.set(name, message),
    read,
    period: () => {
      const [from, to] = [day('from'), day('to')]
      if (from !== undefined && to !== undefined && Temporal.PlainDate.compare(from, to) > 0) {
        errors.set('to', consoleText('filters.endsBeforeStart'))
      }
      return {
        from,
        to,
        createdFrom: from && startOfDayForReaders(from),
        createdBefore: to && startOfDayForReaders(to.add({ days: 1 })),
      }
    },
    choice: (name, values, message) => read(name, (text) => values.find((value) => value === text), message),
    organisationNumber: (name) => read(name, parseOrganisationNumber, consoleText('filters.noOrganisationNumber')),
    position: () => read(AFTER_PARAMETER, parsePosition, consoleText('filters.noPosition')),
    id: (name) => read(name, (text) => (isId(text) ? text.toLowerCase() : undefined), consoleText('filters.noId')),
  }
}

/** In the form of the country in which it is valid. One that is valid in none may be stored all the same. */
function parseOrganisationNumber(text: string): string | undefined {
  const written = withPlainSeparators(text)
  const valid = SERVED_COUNTRIES.flatMap((country) => {
    const checked = checkOrganisationNumber(country, written)
    return checked.ok ? checked.organisationNumber : []
  })
  const number = valid.find((one) => one === written) ?? valid[0] ?? written
  return ORGANISATION_NUMBER.test(number) ? number : undefined
}

/** A day such as `2026-11-25`; undefined for a text that is none, and for years as early as 0, which PostgreSQL lacks. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  try {
    return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Temporal.PlainDate.from(text, { overflow: 'reject' }) : undefined
  } catch {
    return undefined
  }
}
