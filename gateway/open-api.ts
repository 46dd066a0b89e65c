/** Serves the interface's OpenAPI document. */
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../contract/openapi.ts'

const MAX_AGE_SECONDS = 300

/** `GET /openapi.json`, for everybody. */
export function serveOpenApi(server: FastifyInstance): void {
  const text = JSON.stringify(openApiDocument())
  server.get('/openapi.json', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
        'access-control-allow-origin': '*',
      })
      .send(text),
  )
}
