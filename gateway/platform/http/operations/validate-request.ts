/** Validates path, query and body of a request, by schema and by business rules: all errors at once, in body order. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GENERAL_VALIDATION_CODE } from '../../../../contract/errors/error-codes.ts'
import type { Operation } from '../../../../contract/operation.ts'
import {
  ApiError,
  apiError,
  InvalidRequestError,
  MalformedRequestError,
  type ValidationError,
  withSubject,
} from '../errors/api-error.ts'
import { preferencesIn } from '../preferences.ts'
import { placeOf, quotedValueAt } from '../validation/place.ts'
import {
  compileBodyCheck,
  compileQueryCheck,
  isSound,
  replaceMistypedFields,
  type SchemaCheck,
  sortInBodyOrder,
  VALIDATION_ERRORS_MAX,
  withStringErrors,
} from '../validation/schema-validation.ts'
import {
  findUnknownFields,
  type UnknownField,
  unknownFieldErrors,
  withoutUnknownFields,
} from '../validation/unknown-fields.ts'
import { findInvalidStrings, stringErrorOf } from '../validation/validate-strings.ts'
import type { AuthorisedRequest } from './authorise-request.ts'
import type { CallWithoutIdempotency, Parsing, ServedOperation, ServeSettings } from './served-operation.ts'

/** The compiled schemas of an operation; undefined where it has none. */
export type CompiledChecks = {
  readonly params: SchemaCheck | undefined
  readonly query: SchemaCheck | undefined
  readonly body: SchemaCheck | undefined
}

/** Its types are those of its contract entry only where it is registered. */
export type Serving = {
  readonly settings: ServeSettings
  readonly operation: Operation
  readonly served: ServedOperation
  readonly checks: CompiledChecks
}

/** Of an operation without query parameters. */
const NO_PARAMETERS = Type.Object({})

export function compileChecks({ params, query, body, bodyType }: Operation): CompiledChecks {
  return {
    params: params && compileQueryCheck(params),
    query: query && compileQueryCheck(query),
    body: body && (bodyType === 'form' ? compileQueryCheck(body) : compileBodyCheck(body)),
  }
}

/** The value at a path of the body or, where the operation has none, of the query, as an error may quote it. */
export function quotedValueIn(operation: Operation, request: FastifyRequest, path: string): string | undefined {
  return operation.body === undefined
    ? quotedValueAt(placeOf(operation.query), request.query, path)
    : quotedValueAt(placeOf(operation.body), bodyOf(request), path)
}

/** What a request has too much, and whether it is rejected for it. */
export type RequestWarnings = {
  readonly unknownFields: readonly UnknownField[]
  /** `Prefer: handling=strict` (RFC 7240, 4.4), where the operation has fields or parameters to be strict about. */
  readonly isStrict: boolean
}

/** Also of requests that are rejected for another reason. */
export async function findWarnings(operation: Operation, request: FastifyRequest): Promise<RequestWarnings> {
  const { query: inQuery = NO_PARAMETERS, body: inBody, bodyType } = operation
  const isExpected = inBody !== undefined && request.body instanceof URLSearchParams === (bodyType === 'form')
  const takesFields = inBody !== undefined || operation.query !== undefined
  return {
    unknownFields: await findUnknownFields([
      ['query', placeOf(inQuery), request.query],
      ...(isExpected ? [['body', placeOf(inBody), bodyOf(request)] as const] : []),
    ]),
    isStrict: takesFields && preferencesIn(request.headers['prefer']).get('handling') === 'strict',
  }
}

/**
 * The validated call, without the unknown fields of its body: what nothing validates is neither stored nor sent. Throws
 * all validation errors, those of the unknown fields that are to be rejected included, or 404 for an id that is malformed.
 */
export async function validateRequest(
  serving: Serving,
  caller: AuthorisedRequest['caller'],
  request: FastifyRequest,
  { unknownFields, isStrict }: RequestWarnings,
): Promise<CallWithoutIdempotency & { readonly parsed: unknown }> {
  const { operation, served, checks } = serving
  const { params, query, id: requestId } = request
  const idErrors = checks.params?.(params) ?? []
  for (const [name, id] of Object.entries(Object(params))) {
    const path = `.${name}`
    const reason = idErrors.find((error) => error.path === path)?.reason ?? stringErrorOf(String(id))
    // The error for a malformed id is that for an unknown one.
    if (reason !== undefined) {
      const { reason: sentence } = withSubject({ path, reason })
      throw apiError(operation.malformedIds?.[name] ?? 'not-found', `There is no such resource: ${sentence}`)
    }
  }
  if (operation.body !== undefined && (request.body === undefined || request.body === null)) {
    throw apiError('unreadable', 'The request has no body')
  }
  const received = operation.body === undefined ? undefined : bodyOf(request)
  const body = unknownFields.length === 0 ? received : await withoutUnknownFields(placeOf(operation.body), received)
  const { authorization } = request.headers
  // The values are validated just below against the schemas from which these types are derived.
  const call = { caller, params, query, body, requestId, authorization } as CallWithoutIdempotency
  const input = operation.body === undefined ? query : received
  const ofFields = isStrict ? unknownFieldErrors(unknownFields) : []
  const found = await parseValues(serving, call, request, input).catch((error: unknown) => {
    // What the bank or the consent does not allow is reported once the fields are known.
    if (ofFields.length > 0 && error instanceof ApiError) {
      return []
    }
    throw error
  })
  const ofValues = 'parsed' in found ? [] : found
  const validationErrors = ofFields.length === 0 ? ofValues : sortInBodyOrder([...ofFields, ...ofValues], input)
  if (validationErrors.length > 0) {
    throw served.validationErrorOf?.(validationErrors) ?? errorForInvalidRequest(operation, validationErrors)
  }
  return { ...call, parsed: 'parsed' in found ? found.parsed : undefined }
}

/**
 * The errors in body order or, without any, what the operation's own validation found out. `input` is the body or, where
 * the operation has none, the query, with its unknown fields.
 */
async function parseValues(
  { operation, served, checks }: Serving,
  call: CallWithoutIdempotency,
  { body: sent, mayHaveInvalidStrings }: FastifyRequest,
  input: unknown,
): Promise<Parsing> {
  const code = operation.validation.includes('InvalidCharacters') ? 'InvalidCharacters' : GENERAL_VALIDATION_CODE
  const texts =
    input === sent && !mayHaveInvalidStrings ? [] : await findInvalidStrings(input, VALIDATION_ERRORS_MAX, code)
  if (texts.length === VALIDATION_ERRORS_MAX) {
    return texts
  }
  if (served.validateCall !== undefined) {
    return await served.validateCall(call, texts)
  }
  const inSchema = [...(checks.query?.(call.query) ?? []), ...(checks.body?.(call.body) ?? [])]
  const schemaErrors = withStringErrors(inSchema, texts).slice(0, VALIDATION_ERRORS_MAX)
  // Rules alone need the replaced fields: replacing one copies the list that contains it.
  const ruled = schemaErrors.length === 0 ? call : { ...call, body: replaceMistypedFields(call.body, schemaErrors) }
  // Which parts are valid is unknown once the list of errors is full.
  const found =
    served.rules === undefined || schemaErrors.length === VALIDATION_ERRORS_MAX
      ? { parsed: undefined }
      : await served.rules(ruled, (path) => isSound(path, schemaErrors))
  if ('parsed' in found && schemaErrors.length === 0) {
    return found
  }
  const errors = [...schemaErrors, ...('parsed' in found ? [] : found)]
  return sortInBodyOrder(errors, operation.body === undefined ? call.query : call.body).slice(0, VALIDATION_ERRORS_MAX)
}

function errorForInvalidRequest({ malformed }: Operation, validationErrors: readonly ValidationError[]): Error {
  if (malformed === 400) {
    const errors = validationErrors.map(withSubject)
    return apiError('bad-request', errors.map(({ reason }) => reason).join('; '), { validationErrors: errors })
  }
  const unreadable =
    malformed === 'parsing-error' ? validationErrors.find(({ parsing }) => parsing !== undefined) : undefined
  return unreadable?.parsing === undefined
    ? new InvalidRequestError(validationErrors)
    : new MalformedRequestError(unreadable.parsing, unreadable, validationErrors)
}

/** Of a form its fields: a repeated one becomes an array, as in a query, so that its schema rejects it. */
function bodyOf({ body }: FastifyRequest): unknown {
  if (!(body instanceof URLSearchParams)) {
    return body
  }
  const members = new Map<string, string | string[]>()
  for (const [name, value] of body) {
    const earlier = members.get(name)
    members.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return Object.fromEntries(members)
}
