/** How the provider says no: a code of the operation, and for each part of the request what is wrong with it. */

/** One thing that is wrong; `field` is `base` when it is no single part. */
export type Problem = {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Thrown by verbs, and answered in the provider's format. */
export class ProviderRefusal extends Error {
  readonly status: number
  readonly errorCode: string
  readonly problems: readonly Problem[]

  constructor(status: number, errorCode: string, problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.status = status
    this.errorCode = errorCode
    this.problems = problems
  }
}

/** The body of a refusal: problems by the part that they are about. */
export function refusalBody({ errorCode, problems }: Pick<ProviderRefusal, 'errorCode' | 'problems'>): object {
  const byField = Map.groupBy(problems, ({ field }) => field)
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

/** One problem, as a refusal of its own. */
export function refused(errorCode: string, field: string, code: string, message: string): ProviderRefusal {
  return new ProviderRefusal(400, errorCode, [{ field, code, message }])
}

/** There is no such thing. */
export function notFound(noun: string): ProviderRefusal {
  const code = `${noun}_not_found`
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll('_', ' ')}`
  return new ProviderRefusal(404, code, [{ field: 'id', code, message: `${name} was not found for this id` }])
}

export const authFailed = new ProviderRefusal(401, 'auth_failed', [
  {
    field: 'username',
    code: 'invalid_supplied_credentials',
    message: 'Authentication failed with the supplied credentials',
  },
])

export const tooManyRequests = new ProviderRefusal(429, 'too_many_requests', [
  {
    field: 'base',
    code: 'too_many_requests',
    message: 'Too many requests have been made to the api. Please refer to the Developer Center for more information',
  },
])
