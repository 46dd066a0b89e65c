/** Checks that every field of every request is validated: a mistake in each is reported with its path. */

import type { TSchema } from 'typebox'
import type { Operation } from '../../contract/operation.ts'
import { type OperationId, operations } from '../../contract/operations.ts'
import type { Check, CheckContext } from '../check.ts'
import { reportedErrors, requireNone, statusProblems, withValueAt } from '../expectations.ts'
import { type Answer, describeAnswer } from '../http/exchange.ts'
import { consentFor } from '../subjects/consents.ts'
import { formsInTurn, harmlessRequest } from './operations-by-need.ts'

/** No field that is no object itself has this type. */
const OBJECT = { unexpected: [true] }

const withBody = (Object.values(operations) as readonly Operation[]).filter(
  ({ body, bodyType, sandboxOnly }) => body !== undefined && bodyType !== 'form' && !sandboxOnly,
)

/** One check for each operation that has a body. */
export const FIELD_CHECKS: readonly Check[] = withBody.map((operation) => ({
  id: `fields-${operation.id}`,
  title: `${operation.method} ${operation.path} validates each of its fields`,
  rule: 'A required field that is missing and a field of a wrong type are rejected, with an error that names the path of the field.',
  reference: `API reference: ${operation.id}`,
  run: async (context) => {
    const send = await prepare(context, operation)
    const { body } = harmlessRequest(operation)
    const problems: string[] = []
    for (const field of fieldsOf(operation.body ?? {}, body)) {
      for (const [mistake, mistaken] of formsInTurn(context, mistakesOf(field, body))) {
        problems.push(...mistakeProblems(operation, field, mistake, await send(mistaken)))
      }
    }
    requireNone(problems)
  },
}))

function mistakesOf({ path, isRequired, isObject }: BodyField, body: unknown) {
  const wrongType = ['has a wrong type', withValueAt(body, path, isObject ? 'text' : OBJECT)] as const
  return isRequired ? [['is missing', withValueAt(body, path, undefined)] as const, wrongType] : [wrongType]
}

async function prepare(context: CheckContext, operation: Operation): Promise<(body: unknown) => Promise<Answer>> {
  const { params = {} } = harmlessRequest(operation)
  const consentId = await consentFor(context, operation)
  return (body) => context.call(operation.id as OperationId, { params, body, consentId })
}

/** The problems of a response to a request with a mistake in one field. */
function mistakeProblems(operation: Operation, field: BodyField, mistake: string, answer: Answer): readonly string[] {
  const expected = { undefined: [422], '422': [422], '400': [400], 'parsing-error': [400, 422] }[
    `${operation.malformed}`
  ]
  const wrongStatus = statusProblems(answer, ...expected)
  if (wrongStatus.length > 0) {
    return wrongStatus.map((problem) => `${field.path} ${mistake}: ${problem}`)
  }
  const paths = reportedErrors(answer.body).map(({ path }) => path)
  return paths.some((path) => path === field.path || path.startsWith(`${field.path}.`))
    ? []
    : [`${field.path} ${mistake}: ${describeAnswer(answer)} with errors at ${paths.join(', ') || 'no path'}`]
}

type BodyField = {
  /** As errors name it: `.transactions[0].amount`. */
  readonly path: string
  readonly isRequired: boolean
  readonly isObject: boolean
}

type SchemaParts = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

/** The fields that a valid body has, at any depth; unions are not entered, since their errors are those of a branch. */
function fieldsOf(schema: TSchema, body: unknown, path = ''): readonly BodyField[] {
  const { properties = {}, required = [], items }: SchemaParts = schema
  if (Array.isArray(body)) {
    return items === undefined || body.length === 0 ? [] : fieldsOf(items, body[0], `${path}[0]`)
  }
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(Object(body), name))
    .flatMap(([name, member]) => {
      const here = `${path}.${name}`
      const field = { path: here, isRequired: required.includes(name), isObject: isObject(member) }
      return [field, ...fieldsOf(member, Object(body)[name], here)]
    })
}

function isObject({ type, oneOf }: SchemaParts & { readonly oneOf?: unknown }): boolean {
  return type === 'object' || oneOf !== undefined
}
