/** Reads the body of a request once: the bytes that are signed are the bytes that are parsed. */
import type { FastifyRequest } from 'fastify'
import { xs2aError } from '../xs2a-error.ts'

const NOTHING = Buffer.alloc(0)

const bodyByRequest = new WeakMap<FastifyRequest, Promise<Buffer>>()

/** Rejects a body above the limit of the route. */
export function readBody(request: FastifyRequest): Promise<Buffer> {
  const known = bodyByRequest.get(request)
  if (known !== undefined) {
    return known
  }
  const body = hasBody(request) ? collect(request) : Promise.resolve(NOTHING)
  bodyByRequest.set(request, body)
  return body
}

/** RFC 9112, 6.3. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function collect({ raw, routeOptions: { bodyLimit } }: FastifyRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    raw.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > bodyLimit) {
        // The rest is read and discarded: a connection that is closed early cannot receive the response.
        parts.length = 0
        reject(xs2aError(400, 'FORMAT_ERROR', 'The body is too large'))
      } else {
        parts.push(part)
      }
    })
    raw.once('end', () => resolve(Buffer.concat(parts)))
    raw.once('error', reject)
  })
}
