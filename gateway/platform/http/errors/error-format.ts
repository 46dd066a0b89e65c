/** Converts an error for operations with their own error format: no envelope, or a separate code for invalid JSON. */
import { GENERAL_VALIDATION_CODE } from '../../../../contract/errors/error-codes.ts'
import type { Operation } from '../../../../contract/operation.ts'
import { ApiError, IdempotencyKeyReusedError, InvalidRequestError, MalformedRequestError } from './api-error.ts'
import type { RenderedAnswer } from './render-error.ts'

const WHOLE_BODY = '.'

/** The error in the format of this operation. */
export function applyErrorFormat({ malformed, validation }: Operation, error: unknown): unknown {
  if (error instanceof IdempotencyKeyReusedError) {
    return error
  }
  if (error instanceof InvalidRequestError && malformed === 'parsing-error') {
    // Such an operation has a closed list of codes for its fields, which does not contain the general code.
    const unlisted = error.validationErrors.find(
      ({ code }) => code === GENERAL_VALIDATION_CODE || !validation.includes(code),
    )
    return unlisted === undefined ? error : new MalformedRequestError('InvalidFieldFormat', unlisted)
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
export function withMediaType(operation: Operation, answer: RenderedAnswer): RenderedAnswer {
  return isPlainText(operation, answer)
    ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' } }
    : answer
}
