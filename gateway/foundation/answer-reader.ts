/** Reads what others answer: parsed with the shape that it must have, before anything of it is believed. */
import type { StaticEncode, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Turns a body into the shape, or undefined when it is no JSON or another shape. */
export type Reader<Shape> = (body: string) => Shape | undefined

/** Makes the reader of a shape. */
export function reader<Schema extends TSchema>(schema: Schema): Reader<StaticEncode<Schema>> {
  const read = valueReader(schema)
  return (body) => read(parseJson(body))
}

/** Makes the reader of a shape in what is parsed already. */
export function valueReader<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => StaticEncode<Schema> | undefined {
  const validator = Compile(schema)
  return (value) => (validator.Check(value) ? value : undefined)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
