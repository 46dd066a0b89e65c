/** Checks every answer in tests against the contract: status and code are listed, body and messages are valid. */
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { errorBodyOf, ValidationErrors } from '../../../contract/errors/error-bodies.ts'
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
/** The work continues after the response. */
const ACCEPTED = 202
const ERROR_STATUS_MIN = 400
/** Statuses that the pipeline may return for any operation. */
const ANY_OPERATION = [405]
const ajv = new Ajv({ strict: false, allErrors: true, discriminator: true })
addFormats.default(ajv)
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** Keyed by operation and status, because some schemas are created per response. */
const validators = new Map<string, ValidateFunction>()

/** The faults of an answer; outside the contract's paths only messages are checked. */
export function checkResponse(answer: ReceivedResponse): readonly string[] {
  const operation = operationAt(answer)
  const body = readBody(answer)
  const isError = operation !== undefined && answer.status >= ERROR_STATUS_MIN
  const validationErrors = [
    ...(operation !== undefined && !answer.headers.has('svc-request-id') ? ['it has no svc-request-id'] : []),
    ...(operation === undefined ? [] : bodyErrors(operation, answer)),
    ...(answer.status === 503 ? semanticErrors(answer, body) : []),
    ...(isError ? checkErrorShape(operation, answer, body) : []),
    ...checkMessages(operation, answer.status, body),
  ]
  return validationErrors.map(
    (validationError) =>
      `${operation?.id ?? answer.path} answered ${answer.status}: ${validationError}. ${answer.text.slice(0, 300)}`,
  )
}

function operationAt({ method, path }: ReceivedResponse): Operation | undefined {
  const candidates: readonly Operation[] = Object.values(operations)
  const matching = candidates.filter(
    (operation) => operation.method === method && expressionOf(operation.path).test(path),
  )
  // A fixed path, such as …/list, precedes one with a parameter.
  return matching.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0]
}

/** The body parsed by its media type; undefined for types other than JSON and plain text. */
function readBody({ headers, text }: ReceivedResponse): unknown {
  const mediaType = mediaTypeOf(headers) ?? JSON_TYPE
  if (text === '' || (mediaType !== JSON_TYPE && mediaType !== 'text/plain')) {
    return undefined
  }
  return mediaType === JSON_TYPE ? JSON.parse(text) : text
}

function bodyErrors(operation: Operation, { status, text, headers }: ReceivedResponse): readonly string[] {
  const mediaType = mediaTypeOf(headers) ?? ''
  if (status === operation.answer.status && Object.hasOwn(operation.answer.otherForms ?? {}, mediaType)) {
    return []
  }
  if (operation.plainTextErrors?.some((plain) => plain === status)) {
    return mediaType === 'text/plain' && text !== '' ? [] : ['it should be told as plain text']
  }
  const schema = schemaOf(operation, status)
  if (schema === undefined) {
    return ANY_OPERATION.includes(status) ? [] : ['the operation does not list this status']
  }
  if (schema === null) {
    return text === '' ? [] : ['it should have no body']
  }
  const key = `${operation.id} ${status}`
  const validate = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validate)
  const body: unknown = JSON.parse(text)
  return validate(body) ? unlistedCodes(operation, schema, body) : [ajv.errorsText(validate.errors)]
}

/** The codes in the body of a 422. */
function unlistedCodes({ validation }: Operation, schema: TSchema, body: unknown): readonly string[] {
  const reported: readonly string[] =
    schema === ValidationErrors && Array.isArray(body)
      ? body.map((validationError) => Object(validationError).code)
      : []
  const unlisted = reported.filter((code) => !validation.some((listed) => listed === code))
  return unlisted.map((code) => `the operation does not list the code ${code}`)
}

/** A 503 that names an order means that the outcome at the bank is unknown; one without means that nothing was done. */
function semanticErrors({ headers }: ReceivedResponse, body: unknown): readonly string[] {
  const { message = '' } = Object(body)
  return headers.has('location') === /^The bank was called and its response is unknown: /.test(message)
    ? []
    : ['a 503 names an order exactly where the bank was called and its response is unknown']
}

function mediaTypeOf(headers: Headers): string | undefined {
  return headers.get('content-type')?.split(';')[0]
}

/** Undefined for an unlisted status, null for a response without body. */
function schemaOf(operation: Operation, status: number): TSchema | null | undefined {
  if (status === operation.answer.status || (status === ACCEPTED && operation.answer.continuesWith !== undefined)) {
    return operation.answer.schema
  }
  return errorBodyOf(operation, status)
}

function expressionOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
