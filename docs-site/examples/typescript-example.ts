/** Renders an example as a call of the TypeScript client. */
import type { Operation } from '../../contract/operation.ts'
import { consentVariable, variablesFrom } from './example-variables.ts'
import { type RequestExample, sendsIdempotencyKey } from './request-example.ts'
import { type Language, layOut, writeLiteral } from './write-literal.ts'

const TYPESCRIPT: Language = {
  indentation: '  ',
  list: { line: ['[', ']'], block: ['[', ']'] },
  object: { line: ['{ ', ' }'], block: ['{', '}'] },
  variable: ({ name, time }) => (time === undefined ? name : `\`\${${name}}${time}\``),
  plain: (value) =>
    typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value),
  member: (name, text) => (name === text ? text : `${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: ${text}`),
}

/** The call; `havn` is the client, `psu` the user's session. */
export function renderTypeScript(operation: Operation, example: RequestExample): string {
  const { params, query, body } = example
  const values = {
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  }
  const inner = TYPESCRIPT.indentation
  const given = [
    ...(operation.admits === 'consent' ? [TYPESCRIPT.member('consentId', consentVariable(operation).name)] : []),
    ...(operation.psu === 'none' ? [] : ['psu']),
    ...(sendsIdempotencyKey(operation) ? ['idempotencyKey: crypto.randomUUID()'] : []),
    ...Object.entries(values).map(([name, value]) => `${name}: ${writeLiteral(TYPESCRIPT, value, inner)}`),
  ]
  const input = given.length === 0 ? '' : layOut(given, TYPESCRIPT.object, { indent: '', inner })
  const call = `await havn.${operation.id}(${input})`
  const assignments = variablesFrom(operation, example).map(
    ({ name, path }) => `const ${name} = answer.${path.replaceAll('].', ']?.')}`,
  )
  return operation.answer.schema === null ? call : [`const answer = ${call}`, ...assignments].join('\n')
}
