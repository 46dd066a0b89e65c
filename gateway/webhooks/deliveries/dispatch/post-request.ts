/** Posts one delivery on a pooled connection and reads the status and the beginning of the response body. */
import type { Dispatcher } from 'undici'
import type { Destination } from './destination-policy.ts'

/** The request: a body byte for byte, with headers that the caller has signed. */
export type DeliveryRequest = {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type EndpointResponse = {
  readonly status: number
  /** The beginning of the body, for the log. */
  readonly answer: string
}

/** Why there is no response. */
export class NoResponseError extends Error {}

/** Enough to see an endpoint's error message; the rest is not read. */
export const RESPONSE_BYTES_MAX = 1024

const TIMED_OUT = 'The endpoint did not answer in time'

/**
 * Posts, and settles when the response has ended, when its first kilobyte has arrived, or at the timeout. A response
 * whose status has arrived counts, even if its body does not end: the body does not change the outcome.
 */
export function postRequest(
  pool: Dispatcher,
  { path }: Pick<Destination, 'path'>,
  { headers, body }: DeliveryRequest,
  milliseconds: number,
): Promise<EndpointResponse> {
  return new Promise((resolve, reject) => {
    pool.dispatch({ path, method: 'POST', headers, body }, responseHandler(milliseconds, { resolve, reject }))
  })
}

function responseHandler(
  milliseconds: number,
  settle: { readonly resolve: (answer: EndpointResponse) => void; readonly reject: (error: NoResponseError) => void },
): Dispatcher.DispatchHandler {
  const parts: Buffer[] = []
  let status = 0
  let controller: Dispatcher.DispatchController | undefined
  let late = false
  const timer = setTimeout(() => {
    late = true
    end(TIMED_OUT)
    controller?.abort(new Error(TIMED_OUT))
  }, milliseconds)
  // The first one settles; a promise settles once.
  const end = (reason: string) => {
    clearTimeout(timer)
    if (status === 0) {
      settle.reject(new NoResponseError(reason))
    } else {
      settle.resolve({ status, answer: decodeBodyStart(parts) })
    }
  }
  return {
    onRequestStart: (started) => {
      controller = started
      // Requests that have timed out in the queue are not sent: undici writes nothing of a request that is aborted
      // here.
      if (late) {
        started.abort(new Error(TIMED_OUT))
      }
    },
    onResponseStart: (_controller, code) => {
      status = code < 200 ? 0 : code
    },
    onResponseData: (started, part) => {
      const wanted = RESPONSE_BYTES_MAX - parts.reduce((sum, { length }) => sum + length, 0)
      parts.push(part.subarray(0, wanted))
      if (part.length > wanted) {
        end('')
        started.abort(new Error('The response exceeds the recorded length'))
      }
    },
    onResponseEnd: () => end(''),
    onResponseError: (_controller, error) => {
      // The error code only; the message could reveal internal addresses.
      const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
      end(`The endpoint did not respond (${code})`)
    },
  }
}

/** As text without characters that the database cannot store; an incomplete character at the end is dropped. */
function decodeBodyStart(parts: readonly Buffer[]): string {
  if (parts.length === 0) {
    return ''
  }
  const text = new TextDecoder().decode(Buffer.concat(parts), { stream: true })
  return text.replaceAll('\0', '\u{fffd}')
}
