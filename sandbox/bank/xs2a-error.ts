/** The bank's errors over XS2A: a status, and one or more messages with the standard's codes. */

/** One message of an error; `path` names the field that it concerns. */
export type Xs2aErrorMessage = { readonly code: string; readonly text: string; readonly path?: string }

/** Thrown by operations; only the XS2A server renders it. */
export class Xs2aError extends Error {
  readonly status: number
  readonly messages: readonly Xs2aErrorMessage[]

  constructor(status: number, messages: readonly Xs2aErrorMessage[]) {
    super(messages.map(({ code, text }) => `${code}: ${text}`).join('; '))
    this.name = 'Xs2aError'
    this.status = status
    this.messages = messages
  }
}

/** An error with one message: `throw xs2aError(409, 'STATUS_INVALID', '…')`. */
export function xs2aError(status: number, code: string, text: string, path?: string): Xs2aError {
  return new Xs2aError(status, [path === undefined ? { code, text } : { code, text, path }])
}

/** A format error, to be collected with others. */
export function formatErrorMessage(path: string, text: string): Xs2aErrorMessage {
  return { code: 'FORMAT_ERROR', text, path }
}

/** Maximum number of messages per error. */
const MESSAGES_MAX = 100

/** Throws when there are errors, all of them at once up to a limit. */
export function throwIfAnyMessage(validationErrors: readonly Xs2aErrorMessage[]): void {
  if (validationErrors.length > 0) {
    throw new Xs2aError(400, validationErrors.slice(0, MESSAGES_MAX))
  }
}
