/** Converts an error for operations with their own error format: no envelope, or a separate code for invalid JSON. */
import { GENERAL_VALIDATION_CODE, type ParsingCode } from '../../../../contract/errors/error-codes.ts'
import type { Operation } from '../../../../contract/operation.ts'
import {
  ApiError,
  IdempotencyKeyReusedError,
  InvalidRequestError,
  MalformedRequestError,
  type ValidationError,
} from './api-error.ts'

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
