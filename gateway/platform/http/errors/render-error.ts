/** Renders an error with its details as status, headers and body; the only file that knows the status codes of errors. */
import { CODED_ERRORS, isCodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../../../../contract/errors/error-catalogue.ts'
import { FAILURE_CODES, type FailureCode } from '../../../../contract/errors/error-codes.ts'
import {
  ApiError,
  type ApiErrorKind,
  type ApiErrorReason,
  InvalidRequestError,
  MalformedRequestError,
} from './api-error.ts'
import { bearerChallengeOf, errorFieldsOfToken } from './authentication-challenge.ts'
import { detailOf, detailsOf, type ErrorContext, reportedErrorOf } from './error-details.ts'

/** A response as it is sent. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether a repetition of the same request may get another response: then this one is not stored for it. */
  readonly isTemporary?: boolean
}

const INTERNAL_ERROR_MESSAGE = 'Internal error. Quote svcRequestId to support.'

type KnownError = { readonly status: number; readonly code: ErrorCode }

const errorByKind: Readonly<Record<ApiErrorKind, KnownError>> = {
  'bad-request': { status: 400, code: 'BadRequest' },
  unreadable: { status: 400, code: 'InvalidJsonRequest' },
  unauthenticated: { status: 401, code: 'TokenMissing' },
  forbidden: { status: 403, code: 'Forbidden' },
  'not-found': { status: 404, code: 'NotFound' },
  'method-not-allowed': { status: 405, code: 'MethodNotAllowed' },
  'not-acceptable': { status: 406, code: 'NotAcceptable' },
  'request-timeout': { status: 408, code: 'RequestTimeout' },
  conflict: { status: 409, code: 'Conflict' },
  'too-large': { status: 413, code: 'ContentTooLarge' },
  'unsupported-media-type': { status: 415, code: 'UnsupportedMediaType' },
  'too-many-requests': { status: 429, code: 'TooManyRequests' },
  unavailable: { status: 503, code: 'ServiceUnavailable' },
  'outcome-unknown': { status: 503, code: 'OutcomeUnknown' },
}

/** The status of an error; anything but an API error or a list of validation errors is a bug: 500. */
export function statusOf(error: unknown): number {
  if (error instanceof InvalidRequestError) {
    return 422
  }
  if (error instanceof MalformedRequestError) {
    return 400
  }
  return error instanceof ApiError ? knownErrorOf(error).status : 500
}

/** Renders an error. A bug is rendered without detail. */
export function renderErrorResponse(error: unknown, context: ErrorContext): RenderedAnswer {
  const status = statusOf(error)
  if (error instanceof InvalidRequestError) {
    const reported = error.validationErrors.map((each) => reportedErrorOf(context, each))
    return { status, headers: {}, body: JSON.stringify(reported) }
  }
  if (error instanceof MalformedRequestError) {
    return { status, headers: {}, body: JSON.stringify(parsingErrorOf(context, error)) }
  }
  return error instanceof ApiError
    ? { status, headers: headersOf(context, error), body: JSON.stringify(envelopeOf(context, error)) }
    : { status, headers: {}, body: JSON.stringify(internalErrorOf(context)) }
}

/** Whether the same request may get another response once something has ended; a bug counts as temporary. */
export function isTemporaryError(error: unknown): boolean {
  if (error instanceof InvalidRequestError) {
    return error.validationErrors.some(
      ({ code, isTemporary }) => isTemporary === true || ERROR_CATALOGUE[code].isTemporary,
    )
  }
  if (error instanceof MalformedRequestError) {
    return error.errors.some((each) => ERROR_CATALOGUE[codeOf(each) ?? error.code].isTemporary)
  }
  if (!(error instanceof ApiError)) {
    return true
  }
  return error.extras.retryAfterSeconds !== undefined || ERROR_CATALOGUE[knownErrorOf(error).code].isTemporary
}

function knownErrorOf({ reasonCode, extras }: ApiError): KnownError {
  if (isFailureCode(reasonCode)) {
    return { status: 400, code: reasonCode }
  }
  if (isCodedErrorCode(reasonCode)) {
    return { status: CODED_ERRORS[reasonCode].status, code: reasonCode }
  }
  const known = errorByKind[reasonCode]
  return extras.tokenRejection === undefined ? known : { ...known, code: extras.tokenRejection }
}

function envelopeOf(context: ErrorContext, error: ApiError): object {
  const { reasonCode, extras } = error
  const { paymentId, payrollId, onboardingId } = extras
  const message = withOrderNamed(error)
  const { code } = knownErrorOf(error)
  return {
    ...(code === reasonCode ? { failure: code } : {}),
    svcRequestId: context.svcRequestId,
    message,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(payrollId === undefined ? {} : { payrollId }),
    ...(onboardingId === undefined ? {} : { additionalInformation: { onboardingId } }),
    ...errorFieldsOfToken(context, error),
    code,
    errors: detailsOf(context, code, { ...extras, message }),
  }
}

/** The documented form has no field for the id of the order. */
function withOrderNamed({ message, extras: { paymentId, payrollId } }: ApiError): string {
  const [name, id] = paymentId === undefined ? ['payrollId', payrollId] : ['paymentId', paymentId]
  return id === undefined || message.includes(id) ? message : `${message} (${name} ${id})`
}

function parsingErrorOf(context: ErrorContext, { code, parsingError, errors }: MalformedRequestError): object {
  const { reason, path } = parsingError
  const details = errors.map((error) => detailOf(context, error.parsing ?? codeOf(error) ?? code, error))
  return { code, reason, path, svcRequestId: context.svcRequestId, message: reason, errors: details }
}

function codeOf(error: MalformedRequestError['errors'][number]): ErrorCode | undefined {
  return 'code' in error ? error.code : undefined
}

function internalErrorOf(context: ErrorContext): object {
  const { svcRequestId } = context
  const [code, message] = ['InternalServerError', INTERNAL_ERROR_MESSAGE] as const
  return { svcRequestId, message, code, errors: detailsOf(context, code, { message }) }
}

/** The header that says when to send the request again, of an error that says so. */
export function retryHeaderOf(error: unknown): Readonly<Record<string, string>> {
  const seconds = error instanceof ApiError ? error.extras.retryAfterSeconds : undefined
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

function headersOf(context: ErrorContext, error: ApiError): Record<string, string> {
  const { allow } = error.extras
  return {
    ...(error.reasonCode === 'unauthenticated' ? { 'www-authenticate': bearerChallengeOf(context, error) } : {}),
    ...(allow === undefined ? {} : { allow }),
    ...retryHeaderOf(error),
  }
}

/** Whether an error has a code of the contract. */
export function isFailureCode(code: ApiErrorReason): code is FailureCode {
  return (FAILURE_CODES as readonly string[]).includes(code)
}
