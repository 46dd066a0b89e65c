/** One HTTP request and its whole answer, with a sure word on whether the request may have left. */
import type { Dispatcher } from 'undici'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'

type ExchangeLimits = { readonly callMilliseconds: number; readonly responseBytesMax: number }
type Answer = { status: number; headers: Record<string, string>; readonly parts: Buffer[]; bytes: number }

export const TOO_LONG = 'The answer took too long'
export const TOO_LARGE = 'The answer is larger than anything a bank has to say'

/** Sends a request; any answer whatever its status is one, and everything else a `BankUnreachable`. */
export function exchange(dispatcher: Dispatcher, request: BankRequest, limits: ExchangeLimits): Promise<BankResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(optionsOf(request), collect(limits, { resolve, reject }))
  })
}

/** A request as undici takes it. */
export function optionsOf({ url, method, headers, body }: BankRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}`, method, headers: { ...headers }, body: body ?? null }
}

/**
 * A request counts as sent from the moment that undici hands it to a connection. Refused connections, unknown names and
 * failed handshakes end before that: only then is it certain that the bank knows nothing.
 */
function collect(
  limits: ExchangeLimits,
  settle: { readonly resolve: (response: BankResponse) => void; readonly reject: (error: BankUnreachable) => void },
): Dispatcher.DispatchHandler {
  const answer: Answer = { status: 0, headers: {}, parts: [], bytes: 0 }
  let controller: Dispatcher.DispatchController | undefined
  let late = false
  const timer = setTimeout(() => {
    late = true
    if (controller === undefined) {
      settle.reject(new BankUnreachable('The bank could not be reached in time', false))
    } else {
      controller.abort(new Error(TOO_LONG))
    }
  }, limits.callMilliseconds)
  return {
    onRequestStart: (started) => {
      // What nobody waits for any more is not begun: undici writes nothing of a request that is aborted here.
      if (late) {
        started.abort(new Error(TOO_LONG))
      } else {
        controller = started
      }
    },
    onResponseStart: (_controller, status, headers) => {
      answer.status = status
      answer.headers = singleHeaders(headers)
    },
    onResponseData: (started, part) => {
      answer.bytes += part.length
      if (answer.bytes > limits.responseBytesMax) {
        started.abort(new Error(TOO_LARGE))
      } else {
        answer.parts.push(part)
      }
    },
    onResponseEnd: () => {
      clearTimeout(timer)
      const bytes = Buffer.concat(answer.parts)
      settle.resolve({ status: answer.status, headers: answer.headers, body: bytes.toString(), bytes })
    },
    onResponseError: (_controller, error) => {
      clearTimeout(timer)
      settle.reject(unreachable(error, controller !== undefined))
    },
  }
}

/** Why no whole answer came; the failure is named without its address, which the log holds already. */
export function unreachable(error: Error, sent: boolean): BankUnreachable {
  return new BankUnreachable(reasonOf(error, sent), sent, error)
}

function reasonOf(error: Error, sent: boolean): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return sent ? `The bank gave no whole answer (${code})` : `The bank could not be reached (${code})`
}

/** Headers by their lower-case names; those that came several times in one text. */
export function singleHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
