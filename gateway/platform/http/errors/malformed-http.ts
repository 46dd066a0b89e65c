/** Answers incomplete or malformed HTTP requests in the common error format, and then destroys the connection. */
import type { Duplex } from 'node:stream'
import { newId } from '../../ids.ts'
import { apiError } from './api-error.ts'
import { renderErrorResponse } from './render-error.ts'

/** Time to read the response: a connection that is reset at once may lose it in transit. */
const LINGER_MILLISECONDS = 1_000

const TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Closing only our half would let the client keep the other half open indefinitely. */
export function answerMalformedHttp(error: (Error & { code?: string }) | undefined, socket: Duplex): void {
  if (!socket.writable) {
    return
  }
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref()
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.once('end', () => socket.destroy())
  socket.end(malformedHttpAnswer(error?.code === TIMEOUT_CODE))
}

function malformedHttpAnswer(isTimeout: boolean): string {
  const [status, message] = isTimeout
    ? ['408 Request Timeout', 'The request did not arrive completely within the time limit']
    : ['400 Bad Request', 'This is not a valid HTTP/1.1 request to this server']
  const requestId = newId()
  const { body } = renderErrorResponse(apiError('bad-request', message), requestId)
  return (
    `HTTP/1.1 ${status}\r\nsvc-request-id: ${requestId}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
}
