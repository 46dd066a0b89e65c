/** Checks the headers of every request that say to whom it goes and how its body is encoded. */
import type { FastifyRequest } from 'fastify'
import { refuse } from './errors/api-error.ts'

/** Throws for a request that a proxy in front could read differently than we do, and for a body that we would not decode. */
export function requireSoundHeaders({ headers, raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw refuse('bad-request', 'A request in HTTP/1.1 must have the header Host')
  }
  // Node keeps the first one; RFC 9112, section 3.2, demands 400.
  if (numberOf(raw.rawHeaders, 'host') > 1) {
    throw refuse('bad-request', 'A request must have the header Host once')
  }
  const encodings = (headers['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim().toLowerCase())
  if (encodings.some((encoding) => encoding !== '' && encoding !== 'identity')) {
    throw refuse(
      'unsupported-media-type',
      'Send the body without Content-Encoding; compressed bodies are not supported',
    )
  }
}

function numberOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length
}
