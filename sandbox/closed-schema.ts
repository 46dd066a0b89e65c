/** An object schema that rejects unknown properties. */
import { Type } from 'typebox'

export function closed<const Properties extends Parameters<typeof Type.Object>[0]>(
  properties: Properties,
): Type.TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false })
}
