/** Generates the responses of an operation: its success and its errors. */
import type { TSchema } from 'typebox'
import {
  bodyErrorStatuses,
  ErrorResponse,
  failureEnvelope,
  UnauthenticatedResponse,
  ValidationErrors,
} from '../errors/error-bodies.ts'
import { VALIDATION_ERRORS } from '../errors/error-codes.ts'
import { FAILURE_CODES, FAILURES, type FailureCode } from '../errors/failures.ts'
import type { ErrorStatus, Operation } from '../operation.ts'
import { asJson, type Components, type JsonObject, writeSchema } from './schemas.ts'

/** Response headers by the name of their component. */
export const responseHeaders: JsonObject = {
  SvcRequestId: answerHeader({ type: 'string', format: 'uuid' }, 'Identifies the request in support cases.'),
  IdempotentReplayed: answerHeader(
    { type: 'string', enum: ['true'] },
    'Present when the answer was stored for an earlier request with the same Idempotency-Key.',
  ),
  HavnWarnings: answerHeader(
    { type: 'string', examples: ['UnknownField;path=".due_date";nearest="dueDate"'] },
    'Present when the request has fields or query parameters that the operation does not know and therefore ignored: ' +
      'a list (RFC 9651) of at most 20 `UnknownField`, each with its `path`, the `nearest` known name if one is ' +
      'similar, and `in="query"` for a query parameter. Of a list, the first element with the field is named.',
  ),
  PreferenceApplied: answerHeader(
    { type: 'string', examples: ['handling=strict, errors=detailed'] },
    'The preferences of the request that were applied: `handling=strict`, and in errors `errors=detailed`.',
  ),
  Link: answerHeader(
    { type: 'string', examples: ['<http://127.0.0.1:8080/docs/errors#NotFound>; rel="help"'] },
    'The page that explains the error, with `rel="help"` (RFC 8288).',
  ),
  Location: answerHeader(
    { type: 'string', format: 'uri' },
    'The payment or the payroll whose outcome at the bank is unknown, where the error is about one.',
  ),
  RetryAfter: answerHeader({ type: 'integer', minimum: 0 }, 'After how many seconds to try again.'),
  WwwAuthenticate: answerHeader({ type: 'string' }, 'How to authenticate, and what was wrong.'),
}

/** One schema for all operations: a schema for each list of codes would be a class for each in generated clients. */
const FailureResponse: TSchema = failureEnvelope(FAILURE_CODES)

const DOCUMENTED_ERROR_STATUSES = [400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503] as const
export type DocumentedErrorStatus = (typeof DOCUMENTED_ERROR_STATUSES)[number]

export const meaningByStatus: { readonly [status in DocumentedErrorStatus]: string } = {
  400: 'The request is malformed; the message says what to correct.',
  401: 'The access token is missing, malformed, expired, or of another environment.',
  403: 'The partner or the company may not do this.',
  404: 'The resource does not exist, or it belongs to another partner.',
  406: 'The header Accept allows none of the supported media types.',
  409: 'The request conflicts with another one, or repeats one whose outcome is unknown.',
  413: 'The body is larger than 256 kB, or 10 MB for payrolls.',
  415: 'The media type of the body is not supported.',
  429: 'Too many requests, or too many reads at the bank without the user.',
  500: 'Something went wrong here; quote svcRequestId to support.',
  503:
    'With `Location`: the bank was called and its answer is unknown; do not send the request again, read the payment or ' +
    'payroll there, which the message names, too. Without: the bank, or another part of the service, cannot be reached at this moment; nothing was ' +
    'ordered, signed or cancelled, and the request may be sent again.',
}

/** Headers of every response, of which `Havn-Warnings` depends on the request. */
const SENT_ALWAYS = ['SvcRequestId', 'HavnWarnings'] as const
const SENT_WITH_ERRORS = [...SENT_ALWAYS, 'PreferenceApplied', 'Link'] as const

const headersByStatus: { readonly [status in DocumentedErrorStatus]?: readonly string[] } = {
  401: ['WwwAuthenticate'],
  409: ['Location'],
  429: ['RetryAfter'],
  503: ['Location', 'RetryAfter'],
}

const headerNames: { readonly [component in string]: string } = {
  SvcRequestId: 'svc-request-id',
  IdempotentReplayed: 'Idempotent-Replayed',
  HavnWarnings: 'Havn-Warnings',
  PreferenceApplied: 'Preference-Applied',
  Link: 'Link',
  Location: 'Location',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
}

export function writeResponses(entry: Operation, examples: readonly object[], components: Components): JsonObject {
  return {
    [entry.answer.status]: success(entry, examples, components),
    ...accepted(entry, examples, components),
    ...(entry.failures.length === 0 ? {} : { 400: failures(entry.failures, components) }),
    ...Object.fromEntries(
      documentedErrorStatuses(entry).map((status) => [status, errorResponse(entry, status, components)]),
    ),
    ...(entry.validation.length === 0 ? {} : { 422: validationErrors(entry, components) }),
  }
}

/** The responses that are the same for all operations, as components. */
export function commonResponses(components: Components): JsonObject {
  const schemaOf = (status: DocumentedErrorStatus) => (status === 401 ? UnauthenticatedResponse : ErrorResponse)
  return Object.fromEntries(
    DOCUMENTED_ERROR_STATUSES.map((status) => [
      `Refused${status}`,
      answer(meaningByStatus[status], headersOf(status), { schema: writeSchema(schemaOf(status), components) }),
    ]),
  )
}

function success(entry: Operation, examples: readonly object[], components: Components): JsonObject {
  const headers = successHeaders(entry)
  if (entry.answer.schema === null) {
    return answer('Done; the response has no body.', headers)
  }
  const shown = exampleResponses(examples.filter((example) => !continues(entry, example)))
  const json = { schema: writeSchema(entry.answer.schema, components), examples: shown }
  return answer('Done.', headers, json, entry.answer.otherForms)
}

/** The 202 response of an operation whose work may continue after it. */
function accepted(entry: Operation, examples: readonly object[], components: Components): JsonObject {
  const { schema, continuesWith } = entry.answer
  if (schema === null || continuesWith === undefined) {
    return {}
  }
  const shown = exampleResponses(examples.filter((example) => continues(entry, example)))
  const text = `Accepted: the work continues after this answer, which has \`${continuesWith}\`.`
  return { 202: answer(text, successHeaders(entry), { schema: writeSchema(schema, components), examples: shown }) }
}

function successHeaders({ idempotent, query, body }: Operation): readonly string[] {
  const isStrict = query !== undefined || body !== undefined
  return [...SENT_ALWAYS, ...(isStrict ? ['PreferenceApplied'] : []), ...(idempotent ? ['IdempotentReplayed'] : [])]
}

function exampleResponses(examples: readonly object[]): JsonObject {
  return Object.fromEntries(
    examples.flatMap((example) => ('answer' in example ? [named(example, example.answer)] : [])),
  )
}

/** Whether an example shows a 202 response. */
function continues({ answer: { continuesWith } }: Operation, example: object): boolean {
  const shown = 'answer' in example ? example.answer : null
  return continuesWith !== undefined && typeof shown === 'object' && shown !== null && continuesWith in shown
}

/** An example under a valid component name. */
export function named(example: object, value: unknown): readonly [string, JsonObject] {
  const summary = 'summary' in example ? String(example.summary) : 'Example'
  return [summary.replaceAll(/\W+/g, '-').toLowerCase(), { summary, value: asJson(value) }]
}

function failures(codes: readonly FailureCode[], components: Components): JsonObject {
  const meanings = codes.map((code) => `- \`${code}\`: ${FAILURES[code].meaning}`)
  const mayPass = codes.includes('AUTHENTICATION_TEMPORARY_UNAVAILABLE')
  const headers = [...SENT_WITH_ERRORS, ...(mayPass ? ['RetryAfter'] : [])]
  return answer(['Rejected, with a code:', '', ...meanings].join('\n'), headers, {
    schema: writeSchema(FailureResponse, components),
  })
}

/** Errors with a code have their own response. */
export function documentedErrorStatuses(operation: Operation): readonly DocumentedErrorStatus[] {
  const { errorStatuses, failures: codes } = operation
  const stated: readonly ErrorStatus[] = errorStatuses.filter((status) => status !== 400 || codes.length === 0)
  return [...stated, ...bodyErrorStatuses(operation)]
}

function errorResponse(entry: Operation, status: DocumentedErrorStatus, components: Components): JsonObject {
  if (entry.plainTextErrors?.some((plain) => plain === status)) {
    const content = { 'text/plain': { schema: { type: 'string', description: 'The reason, as text.' } } }
    return { ...answer(meaningByStatus[status], headersOf(status)), content }
  }
  const own = entry.errorBodies?.[status]
  return own === undefined
    ? { $ref: `#/components/responses/Refused${status}` }
    : answer(meaningByStatus[status], headersOf(status), {
        schema: writeSchema(own, components),
      })
}

function validationErrors({ validation }: Operation, components: Components): JsonObject {
  const meanings = validation.map((code) => `- \`${code}\`: ${VALIDATION_ERRORS[code].meaning}`)
  return answer(['The validation errors of the request, by code:', '', ...meanings].join('\n'), SENT_WITH_ERRORS, {
    schema: writeSchema(ValidationErrors, components),
  })
}

function answer(
  description: string,
  headers: readonly string[],
  json?: JsonObject,
  otherForms: Operation['answer']['otherForms'] = {},
): JsonObject {
  const references = headers.map((name) => [headerNames[name] ?? name, { $ref: `#/components/headers/${name}` }])
  const others = Object.entries(otherForms).map(([mediaType, what]) => [
    mediaType,
    { schema: { type: 'string', description: what } },
  ])
  return {
    description,
    headers: Object.fromEntries(references),
    ...(json === undefined ? {} : { content: { 'application/json': json, ...Object.fromEntries(others) } }),
  }
}

function headersOf(status: DocumentedErrorStatus): readonly string[] {
  return [...SENT_WITH_ERRORS, ...(headersByStatus[status] ?? [])]
}

function answerHeader(schema: JsonObject, description: string): JsonObject {
  return { description, schema }
}
