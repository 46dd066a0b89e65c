/** Validates the Host and Content-Encoding headers of every request. */
import type { FastifyRequest } from 'fastify'
import { apiError } from './errors/api-error.ts'

/**
 * Throws for a request that a proxy in front could parse differently (request smuggling), and for compressed bodies, of
 * which those of GET are not read.
 */
export function validateHostAndEncoding({ headers, raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw apiError('bad-request', 'An HTTP/1.1 request must have the header Host')
  }
  // Node uses the first one; RFC 9112, section 3.2, requires 400.
  if (numberOf(raw.rawHeaders, 'host') > 1) {
    throw apiError('bad-request', 'A request must have exactly one header Host')
  }
  const encodings = (headers['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim().toLowerCase())
  const isRead = raw.method !== 'GET' && raw.method !== 'HEAD'
  if (isRead && encodings.some((encoding) => encoding !== '' && encoding !== 'identity')) {
    throw apiError(
      'unsupported-media-type',
      'Send the body without Content-Encoding; compressed bodies are not supported',
    )
  }
}

function numberOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length
}
