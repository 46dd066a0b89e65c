/** Lists every error code of the API with its meaning, its usual cause and what to do. */
import { CODED_ERRORS, type CodedErrorCode } from './coded-errors.ts'
import {
  FAILURE_MEANINGS,
  type FailureCode,
  PARSING_MEANINGS,
  type ParsingCode,
  VALIDATION_MEANINGS,
  type ValidationCode,
} from './error-codes.ts'
import { type ErrorAdvice, FAILURE_ADVICE } from './failure-advice.ts'
import { STATUS_ERRORS, type StatusErrorCode, TOKEN_REJECTIONS, type TokenRejectionCode } from './general-errors.ts'
import { OAUTH_ERRORS } from './oauth-errors.ts'
import { PARSING_ADVICE, VALIDATION_ADVICE } from './validation-advice.ts'

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
export type CataloguedError = Omit<ErrorAdvice, 'isTemporary'> & {
  /** The statuses of the responses that carry the code. */
  readonly statuses: readonly number[]
  readonly meaning: string
  /** Whether the cause can end while the request stays the same: such a response is never replayed. */
  readonly isTemporary: boolean
}

/** By code, in the order in which they are read. */
export const ERROR_CATALOGUE: { readonly [code in ErrorCode]: CataloguedError } = {
  ...catalogued(FAILURE_MEANINGS, FAILURE_ADVICE, () => [400]),
  ...catalogued(meaningsOf(CODED_ERRORS), FAILURE_ADVICE, (code) => [CODED_ERRORS[code].status]),
  ...catalogued(VALIDATION_MEANINGS, VALIDATION_ADVICE, () => [422]),
  // Also the code of a body that no operation can read, and of one of the exchange operations.
  ...catalogued(PARSING_MEANINGS, { ...VALIDATION_ADVICE, ...PARSING_ADVICE }, (code) =>
    code in VALIDATION_MEANINGS ? [400, 422] : [400],
  ),
  ...catalogued(meaningsOf(OAUTH_ERRORS), OAUTH_ERRORS, (code) => OAUTH_ERRORS[code].statuses),
  ...catalogued(
    meaningsOf(TOKEN_REJECTIONS),
    mapCodes(TOKEN_REJECTIONS, (code) => ({ ...TOKEN_REJECTIONS[code], isTemporary: true })),
    () => [401],
  ),
  ...catalogued(meaningsOf(STATUS_ERRORS), STATUS_ERRORS, (code) => [STATUS_ERRORS[code].status]),
}

/** The path of the catalogue's entry for a code, below the public base URL of the API. */
export function errorDocsPath(code: ErrorCode): string {
  return `/docs/errors#${code}`
}

function catalogued<Code extends string>(
  meanings: { readonly [code in Code]: string },
  advice: { readonly [code in NoInfer<Code>]: ErrorAdvice },
  statusesOf: (code: NoInfer<Code>) => readonly number[],
): { readonly [code in Code]: CataloguedError } {
  return mapCodes(meanings, (code) => {
    const { cause, action, isTemporary = false } = advice[code]
    return { statuses: statusesOf(code), meaning: meanings[code], cause, action, isTemporary }
  })
}

function meaningsOf<Code extends string>(errors: { readonly [code in Code]: { readonly meaning: string } }) {
  return mapCodes(errors, (code) => errors[code].meaning)
}

/** The compiler cannot know that `Object.keys` returns exactly the codes of the table. */
function mapCodes<Code extends string, Value>(
  table: { readonly [code in Code]: unknown },
  entryOf: (code: Code) => Value,
): { readonly [code in Code]: Value } {
  const codes = Object.keys(table) as Code[]
  return Object.fromEntries(codes.map((code) => [code, entryOf(code)])) as { [code in Code]: Value }
}
