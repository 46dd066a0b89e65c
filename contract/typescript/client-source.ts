/** Generates the parts of the TypeScript client that follow from the contract: types, methods and a table of operations. */
import { scopesByEnvironment } from '../environments.ts'
import { type Components, writeSchema } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { PaymentStatusEvent, TestEvent } from '../webhooks/webhook-events.ts'
import { callType, methodType } from './operation-types.ts'
import { TIMESTAMP_TYPE, typeDeclaration } from './schema-types.ts'

/** What the client knows of an operation when it runs. */
type TableEntry = {
  readonly method: Operation['method']
  readonly path: string
  readonly server: Operation['server']
  readonly status: number
  readonly body: 'none' | 'json' | 'form'
  readonly withToken: boolean
  readonly idempotent: boolean
  readonly mayContinue: boolean
  readonly hasContent: boolean
  readonly plainTextErrors: readonly number[]
}

const NOTICE = 'Generated from the contract by `npm run openapi`; never edited.'

/** The generated files of the client by their path in `sdk/generated/`. */
export function clientSource(): { readonly [file in string]: string } {
  const components: Components = new Map()
  const entries = Object.values<Operation>(operations)
  const methods = entries.map((entry) => methodType(entry, components))
  const calls = entries.map((entry) => callType(entry, components))
  for (const event of [PaymentStatusEvent, TestEvent]) {
    writeSchema(event, components)
  }
  const named = [...components].sort(([left], [right]) => (left < right ? -1 : 1))
  const types = named.map(([name, schema]) => typeDeclaration(name, schema))
  return {
    'api-types.ts': file(`The data of the API. ${NOTICE}`, [TIMESTAMP_TYPE, ...types]),
    'operations.ts': file(`The operations of the API. ${NOTICE}`, [
      importTypes(usedNames([...components.keys(), 'Timestamp'], [...methods, ...calls])),
      "import type { CallOptions, PsuSession } from '../call.ts'\n",
      '',
      ...calls,
      `/** One method per operation of the API. */\nexport type HavnOperations = {\n${methods.join('\n')}}\n`,
    ]),
    'operation-table.ts': file(`How each operation is requested. ${NOTICE}`, [
      `export const scopesByEnvironment = ${asCode(scopesByEnvironment)} as const\n`,
      `export const operationTable = {\n${entries.map(tableLine).join('')}} as const\n`,
    ]),
  }
}

function tableLine(entry: Operation): string {
  const { id, method, path, server, answer, body, bodyType, admits, idempotent, plainTextErrors } = entry
  const line: TableEntry = {
    method,
    path,
    server,
    status: answer.status,
    body: body === undefined ? 'none' : (bodyType ?? 'json'),
    withToken: admits !== 'anyone',
    idempotent,
    mayContinue: answer.continuesWith !== undefined,
    hasContent: answer.schema !== null,
    plainTextErrors: plainTextErrors ?? [],
  }
  return `  ${id}: ${asCode(line)},\n`
}

/** A value as an object literal in the project's quotes. */
function asCode(value: object): string {
  const members = Object.entries(value).map(([name, part]) => `${name}: ${JSON.stringify(part).replaceAll('"', "'")}`)
  return `{ ${members.join(', ')} }`
}

function usedNames(names: readonly string[], texts: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.replaceAll(/\/\*\*.*?\*\//gs, '').match(/\w+/g) ?? []))
  return names.filter((name) => words.has(name)).sort()
}

function importTypes(names: readonly string[]): string {
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './api-types.ts'`
}

function file(purpose: string, parts: readonly string[]): string {
  return `/** ${purpose} */\n\n${parts.join('\n')}`
}
