/** The errors of the commands for developers, each with its exit code and what to do. */
import { HavnConnectionError, HavnError, HavnResponseError, HavnUnknownOutcomeError } from '../../sdk/index.ts'

/** The exit codes of the commands for developers, each with its meaning. */
export const EXIT_CODES = {
  done: [0, 'Done.'],
  invalid: [1, 'The command line, a file or a setting is wrong, or something on this machine failed.'],
  rejected: [2, 'The gateway rejected the request.'],
  unauthenticated: [3, 'There are no credentials, or the gateway rejected them.'],
  unsuccessful: [4, 'The outcome is not the intended one: rejected, cancelled, not verified, or a check failed.'],
  unavailable: [5, 'The gateway or the bank cannot be reached now, or the outcome is unknown: try again later.'],
  interrupted: [130, 'Interrupted by Ctrl-C.'],
} as const

export type ExitReason = keyof typeof EXIT_CODES

const UNAUTHORIZED = 401
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR_MIN = 500
/** Answers of a URL at which no tokens are requested: the credentials were not checked. */
const NO_SUCH_RESOURCE: readonly number[] = [404, 405]
/** What to do where the URL is not that of a gateway. */
const OTHER_URL = 'havn login with the URL of the gateway'

/** An error of a command. `next` says what to do, as a command where there is one. */
export class CommandError extends Error {
  readonly reason: ExitReason
  readonly next: string | undefined
  /** What `--json` adds. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    reason: ExitReason,
    message: string,
    { next, details = {} }: { next?: string | undefined; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message)
    this.name = 'CommandError'
    this.reason = reason
    this.next = next
    this.details = details
  }
}

/** Any error as one with an exit code. */
export function commandErrorOf(error: unknown, isInterrupted: boolean): CommandError {
  if (error instanceof CommandError) {
    return error
  }
  if (isInterrupted) {
    return new CommandError('interrupted', 'Interrupted')
  }
  if (error instanceof HavnConnectionError) {
    return new CommandError('unavailable', `The gateway cannot be reached: ${error.message}`, {
      next: 'npm start for a sandbox on this machine, or havn login with the URL of the gateway',
    })
  }
  if (error instanceof HavnResponseError) {
    return new CommandError('unavailable', error.message, { next: OTHER_URL })
  }
  if (error instanceof HavnError) {
    return ofApiError(error)
  }
  return new CommandError('invalid', error instanceof Error ? error.message : String(error))
}

function ofApiError(error: HavnError): CommandError {
  const { status = 0, operation, failure, svcRequestId, validationErrors, paymentId, payrollId } = error
  const id = svcRequestId === undefined ? '' : ` (request ${svcRequestId})`
  const details = { status, operation, failure, svcRequestId, errors: validationErrors, paymentId, payrollId }
  if (operation === 'issueToken' && NO_SUCH_RESOURCE.includes(status)) {
    return new CommandError('unavailable', `No tokens are issued there: ${error.message}`, { next: OTHER_URL, details })
  }
  const isTemporary =
    status >= SERVER_ERROR_MIN || status === TOO_MANY_REQUESTS || error instanceof HavnUnknownOutcomeError
  if (status === UNAUTHORIZED || (operation === 'issueToken' && !isTemporary)) {
    return new CommandError('unauthenticated', `The gateway rejected the credentials: ${error.message}${id}`, {
      next: 'havn login',
      details,
    })
  }
  const unknown = paymentId ?? payrollId
  return new CommandError(isTemporary ? 'unavailable' : 'rejected', `${error.message}${id}`, {
    ...(unknown === undefined ? {} : { next: `havn status ${unknown}` }),
    details,
  })
}
