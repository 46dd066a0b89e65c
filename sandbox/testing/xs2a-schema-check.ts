/** Checks values against schemas of the bank standard's OpenAPI file with Ajv. */
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Xs2aStandard } from './xs2a-standard.ts'

/** The standard's file as one schema, in which `$ref` names a part. */
const STANDARD = 'standard'

/** What is wrong with a value by a schema of the standard; undefined when nothing is. */
export type SchemaCheck = (schema: object, value: unknown) => string | undefined

/** A schema is compiled on first use: hundreds of messages have the same eighty. */
export function createSchemaCheck({ components: { schemas } }: Xs2aStandard): SchemaCheck {
  const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false }))
  ajv.addSchema({ $id: STANDARD, components: { schemas } })
  const validators = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(schema)
    const validate = validators.getOrInsertComputed(text, () =>
      ajv.compile(JSON.parse(text.replaceAll('"#/', `"${STANDARD}#/`))),
    )
    return validate(value) ? undefined : JSON.stringify(validate.errors)
  }
}

/** The schema of a header or query parameter, whose value is a text. */
export function textSchema(schema: object): object {
  const type = 'type' in schema ? schema.type : undefined
  if (type === 'boolean') {
    return { type: 'string', enum: ['true', 'false'] }
  }
  return type === 'integer' ? { type: 'string', pattern: '^-?[0-9]+$' } : schema
}
