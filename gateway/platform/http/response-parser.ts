/** Reads what others answer: parsed with the shape that it must have, before anything of it is believed. */
import type { StaticEncode, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseJson } from '../parse-json.ts'

/** Turns a body into the shape, or undefined when it is no JSON or another shape. */
export type Reader<Shape> = (body: string) => Shape | undefined

/** Makes the reader of a shape. */
export function reader<Schema extends TSchema>(schema: Schema): Reader<StaticEncode<Schema>> {
  const read = valueReader(schema)
  return (body) => read(parsed(body))
}

/** Makes the reader of a shape in what is parsed already. */
export function valueReader<Schema extends TSchema>(
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
