/** Serves the style sheet and the scripts of the console, which no page has inline. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { PASSKEY_SCRIPT_FILE, PASSKEY_SCRIPT_PATH } from '../sign-in/passkey/passkey-script.ts'
import { CONSOLE_STYLE, CONSOLE_STYLE_PATH } from './console-style.ts'

const MAX_AGE_SECONDS = 3600

export async function serveConsoleAssets(server: FastifyInstance): Promise<void> {
  const script = 'text/javascript; charset=utf-8'
  const assets = [
    { path: CONSOLE_STYLE_PATH, mediaType: 'text/css; charset=utf-8', content: CONSOLE_STYLE },
    { path: PASSKEY_SCRIPT_PATH, mediaType: script, content: await readFile(PASSKEY_SCRIPT_FILE, 'utf8') },
  ]
  for (const { path, mediaType, content } of assets) {
    server.get(path, async (_request, reply) =>
      reply
        .headers({
          'content-type': mediaType,
          'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
          'x-content-type-options': 'nosniff',
        })
        .send(content),
    )
  }
}
