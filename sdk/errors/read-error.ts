/** Reads an error response of the service, in any of its forms, or of a proxy in front of it. */
import { isRecord, parseJson, textOf } from '../json.ts'
import type { NamedOperation } from '../operation-entry.ts'
import type { HavnErrorDetails, HavnErrorItem, ValidationError } from './error-details.ts'
import {
  HavnAuthenticationError,
  HavnConflictError,
  HavnError,
  HavnNotFoundError,
  HavnPermissionError,
  HavnRateLimitError,
  HavnRejectedError,
  HavnServerError,
  HavnUnknownOutcomeError,
  HavnValidationError,
} from './havn-error.ts'

/** A response that is not a success. */
export type ErrorAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly idempotencyKey: string | undefined
}

/** Maximum number of errors in the message; a payroll may have a thousand, all of which are in `errors`. */
const ERRORS_LISTED_MAX = 20

/** The path of an error that is not about a field. */
const WHOLE_REQUEST = '.'

const CODE_BY_STATUS: { readonly [status in number]?: string } = {
  400: 'BadRequest',
  401: 'invalid_token',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'InvalidRequest',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}

/** Turns an error response into an error; a response that is not the service's own still yields a readable one. */
export function readHavnError({ id, plainTextErrors }: NamedOperation, answer: ErrorAnswer): HavnError {
  const { status, headers, text, idempotencyKey } = answer
  const body = plainTextErrors.includes(status) ? (parseJson(text) ?? { message: text }) : parseJson(text)
  const validationErrors = listValidationErrors(body)
  const failure = textOf(body, 'failure')
  const message = messageOf(status, validationErrors, body)
  const errors = listErrors(body, validationErrors)
  const code = errors[0]?.code ?? failure ?? textOf(body, 'error') ?? CODE_BY_STATUS[status] ?? `Http${status}`
  const details: HavnErrorDetails = {
    operation: id,
    code,
    status,
    errors: errors.length > 0 ? errors : [{ code, message }],
    failure: failure ?? textOf(body, 'error'),
    svcRequestId: headers.get('svc-request-id') ?? textOf(body, 'svcRequestId'),
    validationErrors,
    paymentId: textOf(body, 'paymentId'),
    payrollId: textOf(body, 'payrollId'),
    onboardingId: onboardingOf(body),
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    idempotencyKey,
  }
  return new (classOf(details))(message, details)
}

function classOf({ operation, status = 0, failure, paymentId, payrollId }: HavnErrorDetails): typeof HavnError {
  const namesOrder = paymentId !== undefined || payrollId !== undefined
  if (namesOrder && (status === 409 || status >= 500)) {
    return HavnUnknownOutcomeError
  }
  if (status === 401 || (operation === 'issueToken' && status === 400)) {
    return HavnAuthenticationError
  }
  const exact = { 403: HavnPermissionError, 404: HavnNotFoundError, 409: HavnConflictError, 429: HavnRateLimitError }
  const found = Object.entries(exact).find(([known]) => Number(known) === status)?.[1]
  if (found !== undefined) {
    return found
  }
  if (status >= 500) {
    return HavnServerError
  }
  if (status >= 400) {
    return failure === undefined ? HavnValidationError : HavnRejectedError
  }
  return HavnError
}

function messageOf(status: number, validationErrors: readonly ValidationError[], body: unknown): string {
  if (validationErrors.length > 0) {
    const listed = validationErrors
      .slice(0, ERRORS_LISTED_MAX)
      .map(({ code, path, reason }) => `${path === WHOLE_REQUEST ? '' : `${path}: `}${reason} (${code})`)
    const left = validationErrors.length - ERRORS_LISTED_MAX
    return [...listed, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')
  }
  const stated = textOf(body, 'message') ?? textOf(body, 'error_description') ?? textOf(body, 'error')
  return stated ?? (status === 401 ? 'The client could not be authenticated' : `The service answered HTTP ${status}`)
}

/** The documented forms: a list, or the first error alone. */
function listValidationErrors(body: unknown): readonly ValidationError[] {
  return documentedErrors(body).map((value) => ({
    code: textOf(value, 'code') ?? 'InvalidRequest',
    reason: textOf(value, 'reason') ?? '',
    path: textOf(value, 'path') ?? WHOLE_REQUEST,
  }))
}

function documentedErrors(body: unknown): readonly unknown[] {
  const isFirstAlone = ['code', 'reason', 'path'].every((name) => textOf(body, name) !== undefined)
  const listed = Array.isArray(body) ? body : isFirstAlone ? [body] : []
  return listed.filter((value) => textOf(value, 'code') !== undefined)
}

/** The errors in one shape: as the service lists them, otherwise from the documented forms. */
function listErrors(body: unknown, validationErrors: readonly ValidationError[]): readonly HavnErrorItem[] {
  const listed = isRecord(body) && Array.isArray(body['errors']) ? body['errors'].filter(isRecord) : []
  if (listed.length > 0) {
    return listed.map(itemOf)
  }
  const elements = documentedErrors(body)
  return validationErrors.map(({ code, reason, path }, at) => ({
    ...itemOf(isRecord(elements[at]) ? elements[at] : {}),
    code,
    path,
    message: reason,
  }))
}

function itemOf(value: Readonly<Record<string, unknown>>): HavnErrorItem {
  const [path, docs] = [textOf(value, 'path'), textOf(value, 'docs')]
  return {
    code: textOf(value, 'code') ?? 'InvalidRequest',
    message: textOf(value, 'message') ?? textOf(value, 'reason') ?? '',
    ...(path === undefined ? {} : { path }),
    ...('value' in value ? { value: value['value'] } : {}),
    ...('rule' in value ? { rule: value['rule'] } : {}),
    ...(docs === undefined ? {} : { docs }),
  }
}

/** Undefined where the error does not concern an existing company. */
function onboardingOf(body: unknown): string | null | undefined {
  const found = isRecord(body) ? body['additionalInformation'] : undefined
  return found === undefined ? undefined : (textOf(found, 'onboardingId') ?? null)
}

/** The service sends seconds; a date, which a proxy might send, is ignored. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined
}
