/** How the bank says no over XS2A: a status, and one or more messages with the standard's codes. */

/** One message of a refusal; `path` names the part of the request that it is about. */
export type RefusalMessage = { readonly code: string; readonly text: string; readonly path?: string }

/** Thrown where something is decided; only the XS2A server turns it into an answer. */
export class Xs2aRefusal extends Error {
  readonly status: number
  readonly messages: readonly RefusalMessage[]

  constructor(status: number, messages: readonly RefusalMessage[]) {
    super(messages.map(({ code, text }) => `${code}: ${text}`).join('; '))
    this.name = 'Xs2aRefusal'
    this.status = status
    this.messages = messages
  }
}

/** Makes a refusal of one message: `throw refuse(409, 'STATUS_INVALID', '…')`. */
export function refuse(status: number, code: string, text: string, path?: string): Xs2aRefusal {
  return new Xs2aRefusal(status, [path === undefined ? { code, text } : { code, text, path }])
}

/** Makes a problem of form, to be collected with others. */
export function formatProblem(path: string, text: string): RefusalMessage {
  return { code: 'FORMAT_ERROR', text, path }
}

/** Refuses when problems were found, all of them at once. */
export function requireNone(problems: readonly RefusalMessage[]): void {
  if (problems.length > 0) {
    throw new Xs2aRefusal(400, problems)
  }
}
