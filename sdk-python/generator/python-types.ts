/** Translates schemas without a name of their own into Python types. */
import type { Schema } from './openapi-types.ts'
import { literal } from './python-text.ts'

/** Whether partners send a value, receive it, or both. */
export type Direction = 'sent' | 'received' | 'both'

/** Decimals that the document describes in words, without a pattern. */
const DECIMAL_FIELDS = new Set(['exchangeRate', 'markup', 'dueToday', 'dueLater', 'amount'])
const DECIMAL_EXAMPLES = ['0.5', '1250.00', '7']
const TEXT_EXAMPLES = ['x', '1250.', '2026-11-23']

/** The type of a string, number or boolean; `field` is its name on the wire. */
export function scalarType(schema: Schema, field: string, direction: Direction): string {
  switch (schema.type) {
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'number':
      return DECIMAL_FIELDS.has(field) ? 'NumericAmount' : 'float'
    case 'string':
      return stringType(schema, field, direction)
    default:
      throw new Error(`The Python client has no type for ${field}: ${JSON.stringify(schema)}`)
  }
}

function stringType({ format, pattern = '' }: Schema, field: string, direction: Direction): string {
  if (format === 'date') {
    return 'date'
  }
  if (format === 'date-time') {
    return direction === 'sent' ? 'AwareDatetime' : 'datetime'
  }
  if (accepts(pattern, ['2026-11-23', '2026-11-23T09:00:00.000Z'], ['x'])) {
    return 'date | AwareDatetime'
  }
  const isDecimal = accepts(pattern, DECIMAL_EXAMPLES, TEXT_EXAMPLES) || (pattern === '' && DECIMAL_FIELDS.has(field))
  return isDecimal ? 'Amount' : 'str'
}

function accepts(pattern: string, valid: readonly string[], invalid: readonly string[]): boolean {
  const expression = new RegExp(pattern)
  return (
    pattern !== '' && valid.every((text) => expression.test(text)) && !invalid.some((text) => expression.test(text))
  )
}

/** The value of a field that has only one. */
export function onlyValue({ const: constant, enum: values = [] }: Schema): string | boolean | undefined {
  return constant ?? (values.length === 1 ? values[0] : undefined)
}

/** The type and the default of a constant: fixed where partners send it, any value where they only receive it. */
export function constantType(value: string | boolean, isFixed: boolean): string {
  if (typeof value === 'boolean') {
    return isFixed ? `Literal[${pythonBoolean(value)}]` : 'bool'
  }
  return isFixed ? `Literal[${literal(value)}]` : 'str'
}

export function constantValue(value: string | boolean): string {
  return typeof value === 'boolean' ? pythonBoolean(value) : literal(value)
}

function pythonBoolean(value: boolean): string {
  return value ? 'True' : 'False'
}

/** The schema without its null branch, if it has one. */
export function withoutNull(schema: Schema): Schema | undefined {
  const branches = schema.anyOf ?? []
  const rest = branches.filter(({ type }) => type !== 'null')
  return rest.length === 1 && rest.length < branches.length ? rest[0] : undefined
}

/** Whether a schema takes a string or a number, which is written as a string then. */
export function isTextOrNumber({ anyOf = [] }: Schema): boolean {
  return anyOf.length > 0 && anyOf.every(({ type }) => type === 'string' || type === 'integer')
}
