/** Sends one HTTP request, reads its complete answer, and reports on failure whether the request may have been sent. */
import type { Dispatcher } from 'undici'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse, SendBankRequest } from '../connector/connector-dependencies.ts'
import { decodeBody } from './decode-body.ts'

type ExchangeLimits = { readonly callMilliseconds: number; readonly responseBytesMax: number }
type Answer = { status: number; headers: Record<string, string>; readonly parts: Buffer[]; bytes: number }

export const ANSWER_TIMEOUT_MESSAGE = 'The answer timed out'
const INTERRUPTED_MESSAGE = 'The call was interrupted'
export const ANSWER_TOO_LARGE_MESSAGE = 'The answer exceeds the size limit'

/** Resolves with the answer, whatever its status. Rejects with `BankUnreachable` without a complete answer. */
export function exchange(dispatcher: Dispatcher, request: BankRequest, limits: ExchangeLimits): Promise<BankResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(toDispatchOptions(request), collect(limits, request.signal, { resolve, reject }))
  })
}

/** A request in undici's format. */
export function toDispatchOptions({ url, method, headers, body }: BankRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}`, method, headers: { ...headers }, body: body ?? null }
}

/**
 * A request counts as sent from the moment that undici passes it to a connection. Rejected connections, unknown names
 * and failed handshakes end before that: only then is it certain that the bank received nothing.
 */
function collect(
  limits: ExchangeLimits,
  signal: AbortSignal | undefined,
  settle: { readonly resolve: (response: BankResponse) => void; readonly reject: (error: BankUnreachable) => void },
): Dispatcher.DispatchHandler {
  const answer: Answer = { status: 0, headers: {}, parts: [], bytes: 0 }
  let controller: Dispatcher.DispatchController | undefined
  let late = false
  const end = (unsent: string, sent: string) => {
    late = true
    if (controller === undefined) {
      settle.reject(new BankUnreachable(unsent, false))
    } else {
      controller.abort(new Error(sent))
    }
  }
  const timer = setTimeout(
    () => end('The bank could not be reached in time', ANSWER_TIMEOUT_MESSAGE),
    limits.callMilliseconds,
  )
  const interrupt = () => end(INTERRUPTED_MESSAGE, INTERRUPTED_MESSAGE)
  signal?.addEventListener('abort', interrupt, { once: true })
  const clear = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', interrupt)
  }
  return {
    onRequestStart: (started) => {
      // The caller has already got the timeout: undici writes nothing of a request that is aborted here.
      if (late) {
        started.abort(new Error(ANSWER_TIMEOUT_MESSAGE))
      } else {
        controller = started
      }
    },
    onResponseStart: (_controller, status, headers) => {
      answer.status = status
      answer.headers = flattenHeaders(headers)
    },
    onResponseData: (started, part) => {
      answer.bytes += part.length
      if (answer.bytes > limits.responseBytesMax) {
        started.abort(new Error(ANSWER_TOO_LARGE_MESSAGE))
      } else {
        answer.parts.push(part)
      }
    },
    onResponseEnd: () => {
      clear()
      const bytes = Buffer.concat(answer.parts)
      settle.resolve({ status: answer.status, headers: answer.headers, body: decodeBody(bytes), bytes })
    },
    onResponseError: (_controller, error) => {
      clear()
      settle.reject(unreachableError(error, controller !== undefined))
    },
  }
}

/** The error for an incomplete answer; its message leaves out the address, which the log has already. */
export function unreachableError(error: Error, sent: boolean): BankUnreachable {
  return new BankUnreachable(reasonOf(error, sent), sent, error)
}

function reasonOf(error: Error, sent: boolean): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return sent ? `The bank gave no complete answer (${code})` : `The bank could not be reached (${code})`
}

/** Headers by lower-case name; repeated ones are joined. */
export function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

/** Wraps `fetch`: each failure is counted, and logged once until a call to the bank is answered again. */
export function detectTlsFailure<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  { log, metrics }: { readonly log: Pick<Log, 'error' | 'info'>; readonly metrics: Pick<Metrics, 'bankTlsFailures'> },
): SendBankRequest<Answer> {
  const reasonByBic = new Map<string, string>()
  return async (bank, request) => {
    const { bic } = bank
    try {
      const response = await fetch(bank, request)
      if (reasonByBic.delete(bic)) {
        log.info({ bank: bic }, 'TLS connections with the bank can be made again')
      }
      return response
    } catch (error) {
      const reason = error instanceof BankUnreachable ? error.tlsCode : null
      if (reason !== null) {
        metrics.bankTlsFailures.inc({ bank: bic, reason })
        if (reasonByBic.get(bic) !== reason) {
          reasonByBic.set(bic, reason)
          const { operation } = request
          log.error({ bank: bic, operation, reason }, 'no TLS connection can be made with a bank: all calls to it fail')
        }
      }
      throw error
    }
  }
}
