/** Parses responses of external systems: no part is used before the schema was checked. */
import type { StaticEncode, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseOptionalJson } from '../parse-json.ts'
import { type ReportDeviation, readTolerantly } from './tolerant-reader.ts'

/** Parses a body; undefined when it is not JSON, or when what the schema requires cannot be read. */
export type ResponseParser<Shape> = (body: string, report?: ReportDeviation) => Shape | undefined

/** The same for a value that is parsed already. */
export type ValueParser<Shape> = (value: unknown, report?: ReportDeviation) => Shape | undefined

/** Creates the parser of a schema that a response matches as a whole or not at all. */
export function responseParser<Schema extends TSchema>(
  schema: Schema,
): (body: string) => StaticEncode<Schema> | undefined {
  const validator = Compile(schema)
  return (body) => {
    const value = parseOptionalJson(body)
    return validator.Check(value) ? value : undefined
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
  const isValid = (value: unknown): value is StaticEncode<Schema> => validator.Check(value)
  return (value, report = () => undefined) => {
    // What matches as it is needs no second look: lists of entries are long.
    const readable = isValid(value) ? value : readTolerantly(schema, value, report)
    return isValid(readable) ? readable : undefined
  }
}
