/** An object schema without additional properties, so that misspelt fields are errors. */
import { type TObject, type TProperties, Type } from 'typebox'

export function closed<const Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}
