/** Collects the validation errors of a long body: the first thousand, and the total number. */
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { sortInBodyOrder } from '../../platform/http/validation/schema-validation.ts'

/** The number of errors that a response lists. */
export const PAYROLL_VALIDATION_ERRORS_MAX = 1_000
/** Errors of payroll fields are added first but may come last in body order; the margin keeps them from displacing others. */
const COLLECTED_MAX = 2 * PAYROLL_VALIDATION_ERRORS_MAX

export type ValidationErrorCollector = {
  /** Adds the errors of one part, at paths below it. Parts are added in body order. */
  readonly add: (path: string, errors: readonly ValidationError[]) => void
  /** The errors in body order; if the list is truncated, a last error states the total. */
  readonly listed: (body: unknown) => readonly ValidationError[]
}

export function collectValidationErrors(): ValidationErrorCollector {
  const collected: ValidationError[] = []
  let count = 0
  return {
    add: (path, errors) => {
      count += errors.length
      // Within a part, errors are not in body order yet, so a part is never truncated here.
      if (collected.length < COLLECTED_MAX) {
        collected.push(...errors.map((error) => ({ ...error, path: below(path, error.path) })))
      }
    },
    listed: (body) => [
      ...sortInBodyOrder(collected, body).slice(0, PAYROLL_VALIDATION_ERRORS_MAX),
      ...truncationErrors(count),
    ],
  }
}

/** An error of the part itself has the path of the part. */
function below(path: string, relativePath: string): string {
  return path !== '' && relativePath === '.' ? path : `${path}${relativePath}`
}

function truncationErrors(count: number): readonly ValidationError[] {
  const reason = `The request has ${count} errors; the first ${PAYROLL_VALIDATION_ERRORS_MAX} are listed`
  return count > PAYROLL_VALIDATION_ERRORS_MAX ? [{ code: 'InvalidRequest', reason, path: '.' }] : []
}
