/** Sends a text that rarely changes, compressed once for all browsers that take it so. */
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { sharedResult } from '../concurrency.ts'

/** A text with its compressed form. */
export type ServedFile = { readonly mediaType: string; readonly text: string; readonly compressed: Buffer }

/** Compresses the text. */
export function servedFile(mediaType: string, text: string): ServedFile {
  return { mediaType: `${mediaType}; charset=utf-8`, text, compressed: gzipSync(text) }
}

/** Sends the file; browsers may store it for `maxAgeSeconds`. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, text, compressed }: ServedFile,
  maxAgeSeconds: number,
) {
  const isCompressed = new Negotiator(request).encodings(['gzip']).length > 0
  return reply
    .headers({
      'content-type': mediaType,
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
      vary: 'accept-encoding',
      'cache-control': `public, max-age=${maxAgeSeconds}`,
      'x-content-type-options': 'nosniff',
    })
    .send(isCompressed ? compressed : text)
}

/** Registers files that are read and compressed at their first request; browsers may store them for `maxAgeSeconds`. */
export function serveOnce(server: FastifyInstance, maxAgeSeconds: number) {
  return (path: string, mediaType: string, read: () => Promise<string>): void => {
    const file = sharedResult(async () => servedFile(mediaType, await read()))
    server.get(path, async (request, reply) => sendFile(request, reply, await file(), maxAgeSeconds))
  }
}
