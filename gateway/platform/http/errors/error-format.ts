/** Converts an error for operations with their own error format: no envelope, or a separate code for invalid JSON. */
import { GENERAL_VALIDATION_CODE, type ParsingCode } from '../../../../contract/errors/error-codes.ts'
import { STATUS_ERRORS } from '../../../../contract/errors/general-errors.ts'
import type { Operation } from '../../../../contract/operation.ts'
import {
  ApiError,
  IdempotencyKeyReusedError,
  InvalidRequestError,
  MalformedRequestError,
  type ValidationError,
} from './api-error.ts'
import type { ErrorContext } from './error-details.ts'
import type { RenderedAnswer } from './render-error.ts'

const WHOLE_BODY = '.'
const UNLISTED_PARSING_CODE = 'InvalidFieldFormat' satisfies ParsingCode

/** The error in the format of this operation. */
export function applyErrorFormat({ malformed, validation }: Operation, error: unknown): unknown {
  if (error instanceof IdempotencyKeyReusedError) {
    return error
  }
  if (error instanceof InvalidRequestError && malformed === 'parsing-error') {
    // Such an operation has a closed list of codes for its fields, which does not contain the general code.
    const errors = error.validationErrors.map(
      (each): ValidationError =>
        each.code === GENERAL_VALIDATION_CODE || !validation.includes(each.code)
          ? { ...each, parsing: UNLISTED_PARSING_CODE }
          : each,
    )
    const unlisted = errors.find(({ parsing }) => parsing === UNLISTED_PARSING_CODE)
    return unlisted === undefined ? error : new MalformedRequestError(UNLISTED_PARSING_CODE, unlisted, errors)
  }
  if (!(error instanceof ApiError) || (error.reasonCode !== 'unreadable' && error.reasonCode !== 'bad-request')) {
    return error
  }
  const details = { reason: error.message, path: WHOLE_BODY }
  const isUnreadable = error.reasonCode === 'unreadable'
  if (malformed === 'parsing-error') {
    return new MalformedRequestError(isUnreadable ? 'InvalidJsonRequest' : 'InvalidFieldFormat', details)
  }
  return isUnreadable && validation.includes('InvalidJsonRequest')
    ? new InvalidRequestError([{ code: 'InvalidJsonRequest', ...details }])
    : error
}

/** Whether the response is plain text. */
export function isPlainText({ plainTextErrors }: Operation, { status }: Pick<RenderedAnswer, 'status'>): boolean {
  return plainTextErrors?.some((plain) => plain === status) === true
}

/** The response with the media type of its body; one that was stored for an Idempotency-Key has no media type. */
export function withMediaType(
  operation: Operation,
  answer: RenderedAnswer,
  { baseUrl }: Pick<ErrorContext, 'baseUrl'>,
): RenderedAnswer {
  if (!isPlainText(operation, answer)) {
    return answer
  }
  const [code] = Object.entries(STATUS_ERRORS).find(([, { status }]) => status === answer.status) ?? []
  // A plain text has no room for its documentation (RFC 8288).
  const link = code === undefined ? {} : { link: `<${baseUrl}/docs/errors#${code}>; rel="help"` }
  return { ...answer, headers: { ...answer.headers, ...link, 'content-type': 'text/plain; charset=utf-8' } }
}
