/** The provider's errors: a code of the operation, and validation errors by field. */

/** One validation error; `field` is `base` when it concerns no single field. */
export type FieldError = {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Thrown by operations; rendered in the provider's format. */
export class ProviderApiError extends Error {
  readonly status: number
  readonly errorCode: string
  readonly validationErrors: readonly FieldError[]

  constructor(status: number, errorCode: string, validationErrors: readonly FieldError[]) {
    super(validationErrors.map(({ message }) => message).join('; '))
    this.status = status
    this.errorCode = errorCode
    this.validationErrors = validationErrors
  }
}

/** Body of an error response: validation errors grouped by field. */
export function errorBody({
  errorCode,
  validationErrors,
}: Pick<ProviderApiError, 'errorCode' | 'validationErrors'>): object {
  const byField = Map.groupBy(validationErrors, ({ field }) => field)
  return {
    error_code: errorCode,
    error_messages: Object.fromEntries(
      [...byField].map(([field, all]) => [
        field,
        all.map(({ code, message, params = {} }) => ({ code, message, params })),
      ]),
    ),
  }
}

/** An error response for a single field. */
export function fieldRejected(errorCode: string, field: string, code: string, message: string): ProviderApiError {
  return new ProviderApiError(400, errorCode, [{ field, code, message }])
}

export function notFound(noun: string): ProviderApiError {
  const code = `${noun}_not_found`
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll('_', ' ')}`
  return new ProviderApiError(404, code, [{ field: 'id', code, message: `${name} was not found for this id` }])
}

export const authFailed = new ProviderApiError(401, 'auth_failed', [
  {
    field: 'username',
    code: 'invalid_supplied_credentials',
    message: 'Authentication failed with the supplied credentials',
  },
])

/** An error of the API as a whole, which names no field. */
function generalError(status: number, code: string, message: string): ProviderApiError {
  return new ProviderApiError(status, code, [{ field: 'base', code, message }])
}

export const tooManyRequests = generalError(
  429,
  'too_many_requests',
  'Too many requests have been made to the api. Please refer to the Developer Center for more information',
)
export const unavailable = generalError(503, 'service_unavailable', 'The service is unavailable')
export const internalError = generalError(500, 'internal_application_error', 'A general application error occurred')
