/** Answers malformed HTTP requests in the common error format, and protects every response. */
import type { Duplex } from 'node:stream'
import { newId } from '../../ids.ts'
import type { Log } from '../../observability/log.ts'
import { loggedNetwork } from '../ip-address.ts'
import { apiError } from './api-error.ts'
import { completeErrorAnswer } from './complete-error-answer.ts'
import { renderErrorResponse } from './render-error.ts'

/** Time to read the response: a connection that is reset at once may lose it in transit. */
const LINGER_MILLISECONDS = 1_000

const TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

type MalformedHttpSettings = { readonly baseUrl: string; readonly log: Pick<Log, 'info'> }

/** Answers on the socket of a request that could not be parsed. */
type AnswerMalformedHttp = (error: (Error & { code?: string }) | undefined, socket: Duplex) => void

/** Closing only our half would let the client keep the other half open indefinitely. */
export function malformedHttpAnswerer({ baseUrl, log }: MalformedHttpSettings): AnswerMalformedHttp {
  return (error, socket) => {
    if (!socket.writable) {
      return
    }
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref()
    socket.on('error', () => socket.destroy())
    socket.resume()
    socket.once('end', () => socket.destroy())
    const requestId = newId()
    const isTimeout = error?.code === TIMEOUT_CODE
    const address = loggedNetwork('remoteAddress' in socket ? String(socket.remoteAddress) : '')
    log.info({ requestId, status: isTimeout ? 408 : 400, address }, 'a malformed request was answered')
    socket.end(malformedHttpAnswer({ requestId, baseUrl }, isTimeout))
  }
}

function malformedHttpAnswer(
  { requestId, baseUrl }: { readonly requestId: string; readonly baseUrl: string },
  isTimeout: boolean,
): string {
  const error = isTimeout
    ? apiError('request-timeout', 'The request did not arrive completely within the time limit')
    : apiError('bad-request', 'This is not a valid HTTP/1.1 request to this server')
  const rendered = renderErrorResponse(error, { svcRequestId: requestId, baseUrl })
  // Of the request nothing is known, its preferences neither.
  const { status, headers, ...answer } = completeErrorAnswer(rendered, { baseUrl, prefer: undefined })
  const body = JSON.stringify(answer.body)
  const all = { ...headers, ...protectionHeaders(baseUrl) }
  const own = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `HTTP/1.1 ${status} ${isTimeout ? 'Request Timeout' : 'Bad Request'}\r\nsvc-request-id: ${requestId}\r\n` +
    `content-type: application/json; charset=utf-8\r\n${own.join('')}content-length: ${Buffer.byteLength(body)}\r\n` +
    `connection: close\r\n\r\n${body}`
  )
}

const YEAR_SECONDS = 31_536_000

/**
 * Responses hold personal data and amounts: no cache may store them. Behind an https URL, browsers must use no other scheme
 * (RFC 6797), also where the proxy that ends TLS sets no such header. What is no page loads nothing, and no page frames it.
 */
export function protectionHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}
