/** Parses responses of external systems: no part is used before the schema was checked. */
import type { StaticEncode, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseJson } from '../parse-json.ts'

/** Parses a body; undefined when it is not JSON or does not match the schema. */
export type ResponseParser<Shape> = (body: string) => Shape | undefined

/** Creates the parser of a schema. */
export function responseParser<Schema extends TSchema>(schema: Schema): ResponseParser<StaticEncode<Schema>> {
  const read = valueParser(schema)
  return (body) => read(parsed(body))
}

/** Creates the parser of a schema for values that are parsed already. */
export function valueParser<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => StaticEncode<Schema> | undefined {
  const validator = Compile(schema)
  return (value) => (validator.Check(value) ? value : undefined)
}

function parsed(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}
