/** The error of a failed call, with the fields of the service's error response. */
import type { FailureCode, ValidationError } from '../contract/errors/error-codes.ts'
import type { Operation } from '../contract/operation.ts'

/** Fields of the error response in addition to the message. */
export type HavnErrorDetails = {
  /** The operation that failed, by its id; `issueToken` when no token could be obtained. */
  readonly operation: string
  /** The HTTP status. */
  readonly status: number
  /** The error code, if any; newer services may send codes that this client does not know. */
  readonly failure?: FailureCode | (string & {}) | undefined
  /** The id to quote to support. */
  readonly svcRequestId?: string | undefined
  /** All validation errors when the status is 422; the first one when a 400 names it. */
  readonly validationErrors?: readonly ValidationError[]
  /** The payment whose outcome is unknown: read its status, and do not submit it again. */
  readonly paymentId?: string | undefined
  /** The payroll whose outcome is unknown. */
  readonly payrollId?: string | undefined
  /** The onboarding of the existing company; null when it was registered otherwise. */
  readonly onboardingId?: string | null | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfterSeconds?: number | undefined
}

/** Maximum number of errors in the message; a payroll may have a thousand, all of which are in `validationErrors`. */
const ERRORS_LISTED_MAX = 20

/** Thrown for every response other than success. Network errors are passed on unchanged. */
export class HavnError extends Error {
  readonly operation: string
  readonly status: number
  readonly failure: HavnErrorDetails['failure']
  readonly svcRequestId: string | undefined
  readonly validationErrors: readonly ValidationError[]
  readonly paymentId: string | undefined
  readonly payrollId: string | undefined
  readonly onboardingId: string | null | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, details: HavnErrorDetails) {
    super(message)
    this.name = 'HavnError'
    this.operation = details.operation
    this.status = details.status
    this.failure = details.failure
    this.svcRequestId = details.svcRequestId
    this.validationErrors = details.validationErrors ?? []
    this.paymentId = details.paymentId
    this.payrollId = details.payrollId
    this.onboardingId = details.onboardingId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Parses an error response; a response that is not the service's own still yields a readable error. */
export async function readHavnError({ id, plainTextErrors }: Operation, response: Response): Promise<HavnError> {
  const text = await response.text()
  const isPlain = plainTextErrors?.some((status) => status === response.status) === true
  const body = isPlain ? { message: text } : parse(text)
  const validationErrors = (Array.isArray(body) ? body : isParsingError(body) ? [body] : []).map(validationErrorOf)
  const member = (name: string) => textOf(body, name)
  return new HavnError(messageOf(response.status, validationErrors, member), {
    operation: id,
    status: response.status,
    failure: member('failure') ?? member('error'),
    svcRequestId: response.headers.get('svc-request-id') ?? member('svcRequestId'),
    validationErrors,
    paymentId: member('paymentId'),
    payrollId: member('payrollId'),
    onboardingId: onboardingOf(body),
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  })
}

function messageOf(
  status: number,
  validationErrors: readonly ValidationError[],
  member: (name: string) => string | undefined,
): string {
  if (validationErrors.length > 0) {
    const listed = validationErrors
      .slice(0, ERRORS_LISTED_MAX)
      .map(({ code, path, reason }) => `${path}: ${reason} (${code})`)
    return [
      ...listed,
      ...(validationErrors.length > ERRORS_LISTED_MAX
        ? [`and ${validationErrors.length - ERRORS_LISTED_MAX} more`]
        : []),
    ].join('; ')
  }
  const stated = member('message') ?? member('error_description') ?? member('error')
  return stated ?? (status === 401 ? 'The client could not be authenticated' : `The service answered HTTP ${status}`)
}

function validationErrorOf(value: unknown): ValidationError {
  const code = textOf(value, 'code') ?? 'InvalidRequest'
  // Codes that this client does not know yet are passed on unchanged.
  return { code, reason: textOf(value, 'reason') ?? '', path: textOf(value, 'path') ?? '.' } as ValidationError
}

/** The body of a 400 that names the first error which prevented parsing of the request. */
function isParsingError(body: unknown): boolean {
  return ['code', 'reason', 'path'].every((name) => textOf(body, name) !== undefined)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined where the error does not concern an existing company. */
function onboardingOf(body: unknown): string | null | undefined {
  const { additionalInformation } = Object(body)
  return additionalInformation === undefined ? undefined : (textOf(additionalInformation, 'onboardingId') ?? null)
}

function textOf(value: unknown, name: string): string | undefined {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const found: unknown = members.find(([key]) => key === name)?.[1]
  return typeof found === 'string' ? found : undefined
}

/** The service sends seconds; a date, which a proxy might send, is ignored. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined
}
