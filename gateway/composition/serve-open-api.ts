/** Serves the OpenAPI document of the API. */
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../contract/openapi/openapi-document.ts'
import type { Config } from '../config/config.ts'

const MAX_AGE_SECONDS = 300

/** `GET /openapi.json`, without authentication; its servers and operations are those of this environment. */
export function serveOpenApi(
  server: FastifyInstance,
  { baseUrl, authUrl, onboardingUrl, mode }: Pick<Config, 'baseUrl' | 'authUrl' | 'onboardingUrl' | 'mode'>,
): void {
  let text: string | undefined
  server.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(openApiDocument({ base: baseUrl, auth: authUrl, onboarding: onboardingUrl }, mode))
    return reply
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
        'access-control-allow-origin': '*',
      })
      .send(text)
  })
}
