/** Finds the fields of a request that its operation does not know, each with the nearest name that it knows, and leaves them out. */
import { runYieldingToEventLoop } from '../../concurrency.ts'
import type { ValidationError } from '../errors/api-error.ts'
import { fieldsIn, type Place } from './place.ts'

/** Of a name without case and separators: one slip in four characters. */
const CHARACTERS_PER_SLIP = 4
const SLIPS_MAX = 3

/** The nearest of the known names: the same but for case and separators, else with the fewest slips; null for none. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = plainName(name)
  const slipsMax = Math.min(Math.floor(wanted.length / CHARACTERS_PER_SLIP), SLIPS_MAX)
  let nearest: { readonly name: string; readonly slips: number } | null = null
  for (const candidate of known) {
    const slips = slipsBetween(wanted, plainName(candidate), Math.min(slipsMax, (nearest?.slips ?? SLIPS_MAX + 1) - 1))
    if (slips !== null) {
      nearest = { name: candidate, slips }
    }
  }
  return nearest?.name ?? null
}

/** `due_date`, `Due-Date` and `dueDate` are one name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/**
 * The Damerau–Levenshtein distance: characters that are missing, superfluous, different, or swapped with the next. Null
 * above the maximum.
 */
function slipsBetween(left: string, right: string, slipsMax: number): number | null {
  if (Math.abs(left.length - right.length) > slipsMax) {
    return null
  }
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  const slips = last[right.length] ?? 0
  return slips > slipsMax ? null : slips
}

/** A field that is ignored. */
export type UnknownField = {
  /** A form is a body. */
  readonly in: 'body' | 'query'
  /** Of its first occurrence, in printable ASCII: `.transactions[0].due_date`. */
  readonly path: string
  /** The name of a field of the same object; null where none is similar. */
  readonly nearest: string | null
}

/** What is reported of one request. */
export const UNKNOWN_FIELDS_MAX = 20
const NAME_CHARACTERS_MAX = 40
const CUT = '~'
/** In place of a name that may be a value: JSON that was sent as a form, a text, an account number. */
const HIDDEN_NAME = '?'
const FIELD_NAME = /^[A-Za-z_$@][\w$@:.[\]-]*$/
const LONG_NUMBER = /\d{6}/
/** Elements that are searched between two yields to the event loop. */
const ELEMENTS_PER_STEP = 100

type Search = {
  source: UnknownField['in']
  readonly found: UnknownField[]
  /** Names by the object of the schema: in a list, a field is reported once. */
  readonly reported: Map<Place, Set<string>>
}

/** A part of a request. */
type Part = readonly [source: UnknownField['in'], place: Place, value: unknown]

/** In the order of the values. An unknown field is not searched, and neither is what may have any field. */
export async function findUnknownFields(parts: readonly Part[]): Promise<readonly UnknownField[]> {
  const search: Search = { source: 'query', found: [], reported: new Map() }
  for (const [source, place, value] of parts) {
    search.source = source
    if (search.found.length < UNKNOWN_FIELDS_MAX) {
      await runYieldingToEventLoop(searchIn(search, place, value, ''))
    }
  }
  return search.found
}

/** The errors of unknown fields where the caller asked for their rejection. */
export function unknownFieldErrors(unknown: readonly UnknownField[]): readonly ValidationError[] {
  return unknown.map((field) => ({
    code: 'InvalidRequest',
    reason: `${subjectOf(field)}: ${adviceOf(field)}`,
    path: field.path,
    rule: 'additionalProperties',
    isTemporary: true,
  }))
}

function subjectOf({ in: place, path }: UnknownField): string {
  const what = place === 'query' ? 'query parameter' : 'field'
  return path.endsWith(`.${HIDDEN_NAME}`)
    ? `The name of a ${what} is not shown, because it may be a value`
    : `There is no ${what} ${path.slice(1)}`
}

function adviceOf({ nearest }: UnknownField): string {
  return nearest === null ? 'remove it, or send the request without Prefer: handling=strict' : `use ${nearest}`
}

/** `Havn-Warnings` is a list of tokens with parameters (RFC 9651): `UnknownField;path=".due_date";nearest="dueDate"`. */
export function warningsHeader(unknown: readonly UnknownField[]): string {
  // Paths have no character that a quoted string would have to escape.
  return unknown
    .map(({ in: place, path, nearest }) => {
      const where = place === 'query' ? ';in="query"' : ''
      return `UnknownField${where};path="${path}"${nearest === null ? '' : `;nearest="${nearest}"`}`
    })
    .join(', ')
}

/** The value without what `findUnknownFields` finds in it. */
export async function withoutUnknownFields(place: Place, value: unknown): Promise<unknown> {
  return await runYieldingToEventLoop(knownPart(place, value))
}

function* knownPart(place: Place, value: unknown): Generator<void, unknown> {
  if (typeof value !== 'object' || value === null) {
    return value
  }
  if (Array.isArray(value)) {
    const { elements } = place
    const known: unknown[] = []
    for (let index = 0; elements !== undefined && index < value.length; index += 1) {
      known.push(yield* knownPart(elements, value[index]))
      if (index % ELEMENTS_PER_STEP === 0) {
        yield
      }
    }
    return elements === undefined ? value : known
  }
  const fields = fieldsIn(place, value)
  if (fields === null) {
    return value
  }
  const known: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const field = fields.get(name)
    if (field !== undefined) {
      known.push([name, yield* knownPart(field, member)])
    }
  }
  return Object.fromEntries(known)
}

function* searchIn(search: Search, place: Place, value: unknown, path: string): Generator<void, void> {
  if (typeof value !== 'object' || value === null) {
    return
  }
  if (Array.isArray(value)) {
    const { elements } = place
    for (let index = 0; elements !== undefined && index < value.length; index += 1) {
      yield* searchIn(search, elements, value[index], `${path}[${index}]`)
      if (search.found.length === UNKNOWN_FIELDS_MAX) {
        return
      }
      if (index % ELEMENTS_PER_STEP === 0) {
        yield
      }
    }
    return
  }
  const fields = fieldsIn(place, value)
  if (fields === null) {
    return
  }
  for (const name of Object.keys(value)) {
    const known = fields.get(name)
    if (known === undefined) {
      report(search, { place, name, path }, fields)
    } else if (known.fields !== null || known.elements !== undefined) {
      yield* searchIn(search, known, Reflect.get(value, name), `${path}.${name}`)
    }
    if (search.found.length === UNKNOWN_FIELDS_MAX) {
      return
    }
  }
}

function report(
  { source, found, reported }: Search,
  { place, name, path }: { readonly place: Place; readonly name: string; readonly path: string },
  fields: ReadonlyMap<string, Place>,
): void {
  const names = reported.get(place) ?? new Set()
  const shown = shownName(name)
  if (!names.has(shown)) {
    reported.set(place, names.add(shown))
    const nearest = nearestName(name.slice(0, NAME_CHARACTERS_MAX), fields.keys())
    found.push({ in: source, path: `${path}.${shown}`, nearest })
  }
}

/** The name of an unknown field, or `?` for what may be a value. */
export function shownName(name: string): string {
  if (!FIELD_NAME.test(name) || LONG_NUMBER.test(name)) {
    return HIDDEN_NAME
  }
  return name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX)}${CUT}` : name
}
