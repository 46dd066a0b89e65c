/** Completes the response of an error: the form that the request asks for, and the headers that every error has. */
import { CODED_ERRORS, isCodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import { documentedForm } from '../../../../contract/errors/documented-form.ts'
import { DETAILED_ERRORS, documentsErrorCode } from '../../../../contract/errors/error-bodies.ts'
import type { ErrorCode } from '../../../../contract/errors/error-catalogue.ts'
import { GENERAL_VALIDATION_CODE, type ParsingCode } from '../../../../contract/errors/error-codes.ts'
import type { Operation } from '../../../../contract/operation.ts'
import { getPayment } from '../../../../contract/payments/payment-operations.ts'
import { getPayrollStatus } from '../../../../contract/payrolls/payroll-operations.ts'
import { preferencesIn } from '../preferences.ts'
import {
  ApiError,
  type ApiErrorKind,
  apiError,
  IdempotencyKeyReusedError,
  InvalidRequestError,
  MalformedRequestError,
  namedOrderIn,
  type ValidationError,
} from './api-error.ts'
import { docsUrlOf, type RejectedRequest } from './error-details.ts'
import { isFailureCode, type RenderedAnswer } from './render-error.ts'

/** Where and how an error is answered. */
export type AnsweredRequest = Pick<RejectedRequest, 'baseUrl'> & {
  /** Undefined at a path that no operation has. */
  readonly operation?: Operation
  /** The header as sent. */
  readonly prefer: string | readonly string[] | undefined
  /** The other preferences that were applied. */
  readonly applied?: readonly string[]
}

type ErrorFields = {
  readonly code: ErrorCode
  readonly message: string
  readonly paymentId?: string
  readonly payrollId?: string
}

/**
 * Errors are rendered, logged and stored for an `Idempotency-Key` with their details, so that a repetition gets the form
 * that it asks for itself.
 */
export function completeErrorAnswer(answer: RenderedAnswer, answered: AnsweredRequest): RenderedAnswer {
  const { status, headers } = answer
  const { operation } = answered
  const detailed = Object(answer.body)
  const main: ErrorFields = Array.isArray(detailed) ? detailed[0] : detailed
  const own = { ...headers, ...linkOf(answered, main.code), ...locationOf(answered, main), vary: 'prefer' }
  if (operation?.plainTextErrors?.some((plain) => plain === status) === true) {
    return { status, headers: { ...own, 'content-type': 'text/plain; charset=utf-8' }, body: main.message }
  }
  if (preferencesIn(answered.prefer).get('errors') === 'detailed') {
    const applied = [...(answered.applied ?? []), DETAILED_ERRORS].join(', ')
    return { ...answer, headers: { ...own, 'preference-applied': applied } }
  }
  return { status, headers: own, body: documentedForm(operation, status, detailed) }
}

/** The page of the error, for bodies without its URL (RFC 8288). */
function linkOf(place: Pick<RejectedRequest, 'baseUrl'>, code: ErrorCode): { readonly link: string } {
  return { link: `<${docsUrlOf(place, code)}>; rel="help"` }
}

const pathByField = { paymentId: getPayment.path, payrollId: getPayrollStatus.path } as const

/** The order that the error names: its outcome is unknown. */
function locationOf({ baseUrl }: Pick<RejectedRequest, 'baseUrl'>, error: ErrorFields) {
  const [field, id = ''] = namedOrderIn(error) ?? []
  return field === undefined ? {} : { location: `${baseUrl}${pathByField[field].replace(`{${field}}`, id)}` }
}

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

const kindWithoutCode = { 403: 'forbidden', 404: 'not-found', 409: 'conflict' } as const satisfies Record<
  number,
  ApiErrorKind
>

/**
 * A code that the operation does not list is rendered as message only: a bank caused it, or the contract does not list
 * it there.
 */
export function withListedCode(operation: Operation, error: unknown): unknown {
  if (!(error instanceof ApiError)) {
    return error
  }
  const { reasonCode, message, extras } = error
  if (isFailureCode(reasonCode)) {
    return operation.failures.includes(reasonCode) ? error : apiError('bad-request', message, extras)
  }
  return isCodedErrorCode(reasonCode) && !documentsErrorCode(operation, reasonCode)
    ? apiError(kindWithoutCode[CODED_ERRORS[reasonCode].status], message, extras)
    : error
}
