/** Parses responses of external systems: their bodies, of which no part is used before the schema was checked, and when to retry. */
import type { StaticEncode, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { wallMilliseconds } from '../clock.ts'
import { parseOptionalJson } from '../parse-json.ts'
import { type ReportDeviation, readTolerantly } from './tolerant-reader.ts'

/** Parses a body; undefined when it is not JSON, or when what the schema requires cannot be read. */
export type ResponseParser<Shape> = (body: string, report?: ReportDeviation) => Shape | undefined

/** The same for a value that is parsed already. */
export type ValueParser<Shape> = (value: unknown, report?: ReportDeviation) => Shape | undefined

/**
 * Creates the parser of a schema that a response matches as a whole or not at all. A member that is null is absent, unless
 * the schema has null there.
 */
export function responseParser<Schema extends TSchema>(
  schema: Schema,
): (body: string) => StaticEncode<Schema> | undefined {
  const validator = Compile(schema)
  return (body) => {
    const value = parseOptionalJson(body)
    if (validator.Check(value)) {
      return value
    }
    const present = parseOptionalJson(body, (_name, member) => member ?? undefined)
    return validator.Check(present) ? present : undefined
  }
}

/** Creates the tolerant parser of a schema; see `readTolerantly`. */
export function tolerantResponseParser<Schema extends TSchema>(schema: Schema): ResponseParser<StaticEncode<Schema>> {
  const read = tolerantValueParser(schema)
  return (body, report) => {
    const value = parseOptionalJson(body)
    if (value === undefined) {
      report?.({ path: '', reason: 'is not JSON', effect: 'unreadable' })
    }
    return value === undefined ? undefined : read(value, report)
  }
}

/** The same for values that are parsed already. */
export function tolerantValueParser<Schema extends TSchema>(schema: Schema): ValueParser<StaticEncode<Schema>> {
  const validator = Compile(schema)
  return (value, report = () => undefined) => {
    // What matches as it is needs no second look: lists of entries are long.
    if (validator.Check(value)) {
      return value
    }
    const readable = readTolerantly(schema, value, report)
    return validator.Check(readable) ? readable : undefined
  }
}

/** How long to wait, null where the header is absent, unreadable or a date that has passed; and what is wrong with it. */
type RetryAfter = {
  readonly seconds: number | null
  readonly fault: 'unreadable' | 'longer than a day' | null
}

/** Longer waits are cut: what they are about would be forgotten, and few senders mean them. */
const RETRY_AFTER_SECONDS_MAX = 86_400

/** Headers that occur several times are joined. Some senders add a fraction. */
const SECONDS = /^\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*$/
/** The three forms of an HTTP date: that of today, and the two obsolete ones; the last has no zone, and is in UTC. */
const DATE =
  /^(?:\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} (?:GMT|UTC|[+-]\d{4})|\w{6,9}, \d{1,2}-\w{3}-\d{2} [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/
const HAS_ZONE = /(?:GMT|UTC|[+-]\d{4})$/

/** The response's own `Date` is the present for its dates: clocks differ. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): RetryAfter {
  const text = headers['retry-after']?.trim() ?? ''
  if (text === '') {
    return { seconds: null, fault: null }
  }
  const isDate = !SECONDS.test(text)
  const seconds = isDate ? secondsUntil(text, headers['date']) : Math.max(...text.split(',').map(Number))
  if (Number.isNaN(seconds)) {
    return { seconds: null, fault: 'unreadable' }
  }
  if (isDate && seconds <= 0) {
    return { seconds: null, fault: null }
  }
  return seconds > RETRY_AFTER_SECONDS_MAX
    ? { seconds: RETRY_AFTER_SECONDS_MAX, fault: 'longer than a day' }
    : { seconds: Math.ceil(seconds), fault: null }
}

function secondsUntil(text: string, date: string | undefined): number {
  const present = millisecondsOf(date ?? '')
  return (millisecondsOf(text) - (Number.isNaN(present) ? wallMilliseconds() : present)) / 1_000
}

function millisecondsOf(text: string): number {
  return DATE.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`) : Number.NaN
}
