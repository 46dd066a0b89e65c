/** Renders an example as a call of the Python client. */
import type { Operation } from '../../contract/operation.ts'
import { consentVariable, type ExampleVariable, variableOf, variablesFrom } from './example-variables.ts'
import type { RequestExample } from './request-example.ts'
import { type Language, layOut, writeLiteral } from './write-literal.ts'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
/** Names of fields that are words of Python; the client appends an underscore. */
const WORDS: ReadonlySet<string> = new Set(['from', 'global', 'in', 'is', 'not', 'or', 'and', 'pass', 'return', 'with'])

const CONSTANTS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

const PYTHON: Language = {
  indentation: '    ',
  list: { line: ['[', ']'], block: ['[', ']'] },
  object: { line: ['{', '}'], block: ['{', '}'] },
  variable: ({ name, time }) => (time === undefined ? snakeCase(name) : `f"{${snakeCase(name)}}${time}"`),
  plain: (value) => CONSTANTS[String(value)] ?? JSON.stringify(value),
  member: (name, text) => `${JSON.stringify(name)}: ${text}`,
}

const ARGUMENTS = { line: ['', ''], block: ['', ''] } as const

/** The call; `havn` is the client, `psu` the user's session. */
export function renderPython(operation: Operation, example: RequestExample): string {
  const model = operation.body === undefined ? undefined : modelOf(operation.body, example.body)
  const given = [
    ...Object.entries(example.params).map(([name, value]) => argument(name, value)),
    ...(model === undefined
      ? []
      : [`${model}.model_validate(${writeLiteral(PYTHON, example.body, PYTHON.indentation)})`]),
    ...Object.entries(example.query).map(
      ([name, value]) => `${snakeCase(name)}=${queryArgument(operation, name, value)}`,
    ),
    ...(operation.admits === 'consent' ? [`consent_id=${snakeCase(consentVariable(operation).name)}`] : []),
    ...(operation.psu === 'none' ? [] : ['psu=psu']),
  ]
  const defined = variablesFrom(operation, example)
  const call = `havn.${snakeCase(operation.id)}(${layOut(given, ARGUMENTS, { indent: '', inner: PYTHON.indentation })})`
  return [
    ...importsOf(call, model === undefined ? enumerationsOf(operation, example) : [model]),
    ...(operation.answer.schema === null ? [call] : [`answer = ${call}`]),
    ...defined.map(assignment),
  ].join('\n')
}

/** `endToEndId` becomes `end_to_end_id`. */
export function snakeCase(name: string): string {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
  return WORDS.has(snake) ? `${snake}_` : snake
}

function importsOf(call: string, models: readonly string[]): readonly string[] {
  const times = ['datetime', 'date'].filter((name) => new RegExp(`(?<!\\w)${name}[.(]`).test(call)).toSorted()
  const lines = [
    ...(times.length === 0 ? [] : [`from datetime import ${times.join(', ')}`]),
    ...(models.length === 0 ? [] : [`from havn.models import ${models.join(', ')}`]),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

/** The class of a body: that of the variant whose tag it has. */
function modelOf(schema: unknown, body: unknown): string {
  const { oneOf, title } = Object(schema)
  const variants: readonly unknown[] = Array.isArray(oneOf) ? oneOf : []
  const chosen = variants.find((variant) => hasTagOf(variant, body))
  return chosen === undefined ? String(title) : modelOf(chosen, body)
}

function hasTagOf(schema: unknown, body: unknown): boolean {
  const { oneOf, properties } = Object(schema)
  return Array.isArray(oneOf)
    ? oneOf.some((variant) => hasTagOf(variant, body))
    : Object.entries(Object(properties)).every(([name, member]) => {
        const { const: tag } = Object(member)
        return tag === undefined || tag === Object(body)[name]
      })
}

function assignment({ name, path }: ExampleVariable): string {
  return `${snakeCase(name)} = answer.${path.replaceAll(/[A-Za-z]+/g, snakeCase)}`
}

/** Values of an enumeration are members of its class. */
function queryArgument(operation: Operation, name: string, value: unknown): string {
  const enumeration = enumerationOf(operation, name)
  return enumeration === undefined ? argument(name, value) : `${enumeration}(${writeLiteral(PYTHON, value, '', name)})`
}

function enumerationsOf(operation: Operation, { query }: RequestExample): readonly string[] {
  return Object.keys(query).flatMap((name) => enumerationOf(operation, name) ?? [])
}

function enumerationOf({ query }: Operation, name: string): string | undefined {
  const { title, enum: values } = Object(query?.properties[name])
  return typeof title === 'string' && Array.isArray(values) ? title : undefined
}

/** A parameter of a method, where days and times have types of their own. */
function argument(field: string, value: unknown): string {
  const variable = variableOf(field, value)
  if (variable?.time !== undefined) {
    return `datetime.fromisoformat(${PYTHON.variable(variable).replace('Z"', '+00:00"')})`
  }
  const [, year, month, day] = DAY.exec(String(value)) ?? []
  return variable === undefined && year !== undefined
    ? `date(${Number(year)}, ${Number(month)}, ${Number(day)})`
    : writeLiteral(PYTHON, value, '', field)
}
