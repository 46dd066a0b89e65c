/** Checks every answer in tests against the contract: status and code are listed, body and messages are valid. */
import { bodyProblems } from '../../../conformance/validation/validate-answer.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { checkErrorShape } from './check-error-shape.ts'
import { checkMessages } from './check-messages.ts'

/** A request and its answer. */
export type ReceivedResponse = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const JSON_TYPE = 'application/json'
const ERROR_STATUS_MIN = 400
/** Statuses that the pipeline may return for any operation. */
const ANY_OPERATION = [405]

/** The faults of an answer; outside the contract's paths only messages are checked. */
export function checkResponse(answer: ReceivedResponse): readonly string[] {
  const operation = operationAt(answer)
  const body = readBody(answer)
  const isError = operation !== undefined && answer.status >= ERROR_STATUS_MIN
  const validationErrors = [
    ...(operation !== undefined && !answer.headers.has('svc-request-id') ? ['it has no svc-request-id'] : []),
    ...(operation === undefined ? [] : bodyProblems(operation, { ...answer, operation, body }, ANY_OPERATION)),
    ...(answer.status === 503 ? semanticErrors(answer, body) : []),
    ...(isError ? checkErrorShape(operation, answer, body) : []),
    ...checkMessages(operation, answer.status, body),
  ]
  return validationErrors.map(
    (validationError) =>
      `${operation?.id ?? answer.path} answered ${answer.status}: ${validationError}. ${answer.text.slice(0, 300)}`,
  )
}

/** A fixed path, such as …/list, precedes one with a parameter. */
const OPERATIONS = Object.values<Operation>(operations)
  .map((operation) => ({ operation, expression: expressionOf(operation.path) }))
  .sort((one, other) => one.operation.path.split('{').length - other.operation.path.split('{').length)

function operationAt({ method, path }: ReceivedResponse): Operation | undefined {
  return OPERATIONS.find(({ operation, expression }) => operation.method === method && expression.test(path))?.operation
}

/** The body parsed by its media type; undefined for types other than JSON and plain text. */
function readBody({ headers, text }: ReceivedResponse): unknown {
  const mediaType = headers.get('content-type')?.split(';')[0] ?? JSON_TYPE
  if (text === '' || (mediaType !== JSON_TYPE && mediaType !== 'text/plain')) {
    return undefined
  }
  return mediaType === JSON_TYPE ? JSON.parse(text) : text
}

/** A 503 that names an order means that the outcome at the bank is unknown; one without means that nothing was done. */
function semanticErrors({ headers }: ReceivedResponse, body: unknown): readonly string[] {
  const { message = '' } = Object(body)
  return headers.has('location') === /^The bank was called and its response is unknown: /.test(message)
    ? []
    : ['a 503 names an order exactly where the bank was called and its response is unknown']
}

function expressionOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`)
}
