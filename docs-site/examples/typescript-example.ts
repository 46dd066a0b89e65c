/** Renders an example as a call of the TypeScript client. */
import type { Operation } from '../../contract/operation.ts'
import { consentVariable, type VariableName, variableOf, variablesFrom } from './example-variables.ts'
import { laidOut, type RequestExample, sendsIdempotencyKey } from './request-example.ts'

/** A part of a literal that is not quoted: a variable or an expression. */
class Expression {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The call; `havn` is the client, `psu` the user's session. */
export function renderTypeScript(operation: Operation, example: RequestExample): string {
  const given = {
    ...(operation.admits === 'consent' ? { consentId: new Expression(consentVariable(operation).name) } : {}),
    ...(operation.psu !== 'none' ? { psu: new Expression('psu') } : {}),
    ...(sendsIdempotencyKey(operation) ? { idempotencyKey: new Expression('crypto.randomUUID()') } : {}),
    ...(Object.keys(example.params).length > 0 ? { params: example.params } : {}),
    ...(Object.keys(example.query).length > 0 ? { query: example.query } : {}),
    ...(example.body === undefined ? {} : { body: example.body }),
  }
  const input = Object.keys(given).length === 0 ? '' : literal(given, '')
  const call = `await havn.${operation.id}(${input})`
  const assignments = variablesFrom(operation, example).map(
    ({ name, path }) => `const ${name} = answer.${path.replaceAll('].', ']?.')}`,
  )
  return operation.answer.schema === null ? call : [`const answer = ${call}`, ...assignments].join('\n')
}

/** A value as a TypeScript literal, on one line where it fits. */
function literal(value: unknown, indent: string, field = ''): string {
  const variable = variableOf(field, value)
  if (value instanceof Expression) {
    return value.text
  }
  if (variable !== undefined) {
    return expressionOf(variable)
  }
  if (typeof value === 'string') {
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  }
  return typeof value === 'object' && value !== null ? compound(value, indent) : JSON.stringify(value)
}

function expressionOf({ name, time }: VariableName): string {
  return time === undefined ? name : `\`\${${name}}${time}\``
}

function compound(value: object, indent: string): string {
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([name, member]) => {
    const text = literal(member, inner, name)
    return isList || name === text ? text : `${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: ${text}`
  })
  const block = isList ? (['[', ']'] as const) : (['{', '}'] as const)
  const line = isList || parts.length === 0 ? block : (['{ ', ' }'] as const)
  return laidOut(parts, { line, block, indent, inner })
}
