/** Answers what is not a whole HTTP request in the error format of all others, and then destroys its connection. */
import type { Duplex } from 'node:stream'
import { newId } from '../../ids.ts'
import { refuse } from './api-error.ts'
import { renderFailure } from './render-error.ts'

/** Enough to read the answer: a connection that is reset at once may lose it on the way. */
const LINGER_MILLISECONDS = 1_000

const TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Closing our half alone would leave the other half to the client, for as long as it likes. */
export function answerBrokenHttp(error: (Error & { code?: string }) | undefined, socket: Duplex): void {
  if (!socket.writable) {
    return
  }
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref()
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.once('end', () => socket.destroy())
  socket.end(brokenHttpAnswer(error?.code === TIMEOUT_CODE))
}

function brokenHttpAnswer(isTimeout: boolean): string {
  const [status, message] = isTimeout
    ? ['408 Request Timeout', 'The request did not arrive completely within the time limit']
    : ['400 Bad Request', 'This is not a request in HTTP/1.1 to this server']
  const requestId = newId()
  const { body } = renderFailure(refuse('bad-request', message), requestId)
  return (
    `HTTP/1.1 ${status}\r\nsvc-request-id: ${requestId}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
}
