/** Lists every error code of the API with its meaning, its usual cause and what to do. */
import { CODED_ERRORS, type CodedErrorCode } from './coded-errors.ts'
import { PARSING_ERRORS, type ParsingCode, VALIDATION_ERRORS, type ValidationCode } from './error-codes.ts'
import { type DocumentedError, FAILURES, type FailureCode } from './failures.ts'
import { STATUS_ERRORS, type StatusErrorCode, TOKEN_REJECTIONS, type TokenRejectionCode } from './general-errors.ts'
import { OAUTH_ERRORS } from './oauth-errors.ts'

/** Every code that an error of the API may have. */
export type ErrorCode =
  | FailureCode
  | CodedErrorCode
  | ValidationCode
  | ParsingCode
  | keyof typeof OAUTH_ERRORS
  | TokenRejectionCode
  | StatusErrorCode

/** What the documentation says about a code. */
export type CataloguedError = Omit<DocumentedError, 'isTemporary'> & {
  /** The statuses of the responses that carry the code. */
  readonly statuses: readonly number[]
  /** Whether the cause can end while the request stays the same: such a response is never replayed. */
  readonly isTemporary: boolean
}

/** By code, in the order in which they are read. */
export const ERROR_CATALOGUE: { readonly [code in ErrorCode]: CataloguedError } = {
  ...catalogued(FAILURES, () => [400]),
  ...catalogued(CODED_ERRORS, ({ status }) => [status]),
  ...catalogued(VALIDATION_ERRORS, () => [422]),
  // Also the code of a body that no operation can read, and of one of the exchange operations.
  ...catalogued(PARSING_ERRORS, (_error, code) => (code in VALIDATION_ERRORS ? [400, 422] : [400])),
  ...catalogued(OAUTH_ERRORS, ({ statuses }) => statuses),
  // With another token the same request succeeds.
  ...catalogued(TOKEN_REJECTIONS, () => [401], { isTemporary: true }),
  ...catalogued(STATUS_ERRORS, ({ status }) => [status]),
}

/** The path of the catalogue's entry for a code, below the public base URL of the API. */
export function errorDocsPath(code: ErrorCode): string {
  return `/docs/errors#${code}`
}

function catalogued<Code extends string, Listed extends DocumentedError>(
  errors: { readonly [code in Code]: Listed },
  statusesOf: (error: Listed, code: Code) => readonly number[],
  always: { readonly isTemporary?: true } = {},
): { readonly [code in Code]: CataloguedError } {
  const entries = Object.entries<Listed>(errors).map(([code, error]) => {
    const { meaning, cause, action, isTemporary = false } = { ...error, ...always }
    return [code, { statuses: statusesOf(error, code as Code), meaning, cause, action, isTemporary }]
  })
  // The compiler cannot know that these are exactly the codes of the table.
  return Object.fromEntries(entries) as { [code in Code]: CataloguedError }
}
