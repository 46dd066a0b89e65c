/** Describes how a call fails: what the service answered, in one error that programs can read. */
import type { FailureCode, ValidationProblem } from '../contract/errors/error-codes.ts'
import type { Operation } from '../contract/operation.ts'

/** What the service said besides the message. */
export type FailureDetails = {
  /** The operation that failed, by its id; `issueToken` when no token was to be had. */
  readonly operation: string
  /** The HTTP status. */
  readonly status: number
  /** The code, where there is one; newer services may send codes that this client does not know. */
  readonly failure?: FailureCode | (string & {}) | undefined
  /** What support asks for. */
  readonly svcRequestId?: string | undefined
  /** Everything that is wrong with the request when the status is 422; the first such thing where a 400 tells it. */
  readonly problems?: readonly ValidationProblem[]
  /** The payment whose outcome is not known: read it, and do not order it again. */
  readonly paymentId?: string | undefined
  /** The same of a payroll. */
  readonly payrollId?: string | undefined
  /** The onboarding that an existing company came from; null where it came in otherwise. */
  readonly onboardingId?: string | null | undefined
  /** After how many seconds to try again. */
  readonly retryAfterSeconds?: number | undefined
}

/** So many problems are in the message; a payroll may have a thousand, all of which are in `problems`. */
const TOLD_MAX = 20

/** Thrown when the service answers a call with anything but success. What the network throws is passed on as it is. */
export class HavnFailure extends Error {
  readonly operation: string
  readonly status: number
  readonly failure: FailureDetails['failure']
  readonly svcRequestId: string | undefined
  readonly problems: readonly ValidationProblem[]
  readonly paymentId: string | undefined
  readonly payrollId: string | undefined
  readonly onboardingId: string | null | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, details: FailureDetails) {
    super(message)
    this.name = 'HavnFailure'
    this.operation = details.operation
    this.status = details.status
    this.failure = details.failure
    this.svcRequestId = details.svcRequestId
    this.problems = details.problems ?? []
    this.paymentId = details.paymentId
    this.payrollId = details.payrollId
    this.onboardingId = details.onboardingId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Reads a failure from an answer; whatever answered in the service's place still makes a readable one. */
export async function readFailure({ id, plainRefusals }: Operation, response: Response): Promise<HavnFailure> {
  const text = await response.text()
  const isPlain = plainRefusals?.some((status) => status === response.status) === true
  const body = isPlain ? { message: text } : parse(text)
  const problems = (Array.isArray(body) ? body : isParsingError(body) ? [body] : []).map(problemOf)
  const member = (name: string) => textOf(body, name)
  return new HavnFailure(messageOf(response.status, problems, member), {
    operation: id,
    status: response.status,
    failure: member('failure') ?? member('error'),
    svcRequestId: response.headers.get('svc-request-id') ?? member('svcRequestId'),
    problems,
    paymentId: member('paymentId'),
    payrollId: member('payrollId'),
    onboardingId: onboardingOf(body),
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  })
}

function messageOf(
  status: number,
  problems: readonly ValidationProblem[],
  member: (name: string) => string | undefined,
): string {
  if (problems.length > 0) {
    const told = problems.slice(0, TOLD_MAX).map(({ code, path, reason }) => `${path}: ${reason} (${code})`)
    return [...told, ...(problems.length > TOLD_MAX ? [`and ${problems.length - TOLD_MAX} more`] : [])].join('; ')
  }
  const stated = member('message') ?? member('error_description') ?? member('error')
  return stated ?? (status === 401 ? 'The client could not be authenticated' : `The service answered HTTP ${status}`)
}

function problemOf(value: unknown): ValidationProblem {
  const code = textOf(value, 'code') ?? 'InvalidRequest'
  // Codes that this client does not know yet are passed on as they are.
  return { code, reason: textOf(value, 'reason') ?? '', path: textOf(value, 'path') ?? '.' } as ValidationProblem
}

/** The body of a 400 that tells the first thing which kept the request from being read. */
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

/** Undefined where the service does not speak of an existing company. */
function onboardingOf(body: unknown): string | null | undefined {
  const { additionalInformation } = Object(body)
  return additionalInformation === undefined ? undefined : (textOf(additionalInformation, 'onboardingId') ?? null)
}

function textOf(value: unknown, name: string): string | undefined {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const found: unknown = members.find(([key]) => key === name)?.[1]
  return typeof found === 'string' ? found : undefined
}

/** The service sends seconds; a date, which a proxy might send, is left to the caller's own patience. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined
}
