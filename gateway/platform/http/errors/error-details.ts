/** Lists the single errors of a rejected request in the form that all bodies share. */
import type { ErrorDetail, ValidationError as ReportedError } from '../../../../contract/errors/error-bodies.ts'
import { type ErrorCode, errorDocsPath } from '../../../../contract/errors/error-catalogue.ts'
import type { ValidationError } from './api-error.ts'

/** What the errors of a request have in common. */
export type RejectedRequest = {
  readonly svcRequestId: string
  /** The public base URL, below which errors are documented. */
  readonly baseUrl: string
  /** The value at a path of the request, as it may be quoted; absent where no request was parsed. */
  readonly quotedValueAt?: (path: string) => string | undefined
}

/** Where a request as a whole is rejected. */
const WHOLE_REQUEST = '.'

/** The URL that documents a code. */
export function docsUrlOf({ baseUrl }: Pick<RejectedRequest, 'baseUrl'>, code: ErrorCode): string {
  return `${baseUrl}${errorDocsPath(code)}`
}

type DescribedError = Pick<ValidationError, 'reason' | 'path' | 'rule'>

export function detailOf(request: RejectedRequest, code: ErrorCode, error: DescribedError): ErrorDetail {
  return { code, ...descriptionOf(request, code, error) }
}

function descriptionOf(request: RejectedRequest, code: ErrorCode, { reason, path, rule }: DescribedError) {
  const value = request.quotedValueAt?.(path)
  return {
    path,
    message: reason,
    ...(value === undefined ? {} : { value }),
    ...(rule === undefined ? {} : { rule }),
    docs: docsUrlOf(request, code),
  }
}

/** The errors of an envelope: its single one, unless the request was validated. */
export function detailsOf(
  request: RejectedRequest,
  code: ErrorCode,
  {
    message,
    validationErrors = [],
  }: { readonly message: string; readonly validationErrors?: readonly ValidationError[] },
): readonly ErrorDetail[] {
  return validationErrors.length === 0
    ? [detailOf(request, code, { reason: message, path: WHOLE_REQUEST })]
    : validationErrors.map((error) => detailOf(request, error.code, error))
}

/** An element of the documented list of validation errors. */
export function reportedErrorOf(request: RejectedRequest, error: ValidationError): ReportedError {
  const { code, reason } = error
  return { code, reason, ...descriptionOf(request, code, error) }
}
