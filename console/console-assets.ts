/** Serves the style sheet and the scripts of the console, which no page has inline. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { sendFile, servedFile } from '../gateway/platform/http/served-file.ts'
import { CONSOLE_STYLE, CONSOLE_STYLE_PATH } from './layout/console-style.ts'
import { LIVE_SCRIPT_FILES, LIVE_SCRIPT_PATH } from './live/live-region.ts'
import { COPY_SCRIPT_FILE, COPY_SCRIPT_PATH } from './markup/copy/copy-button.ts'
import { PASSKEY_SCRIPT_FILE, PASSKEY_SCRIPT_PATH } from './sign-in/passkey/passkey-pages.ts'

const MAX_AGE_SECONDS = 3600

export async function serveConsoleAssets(server: FastifyInstance): Promise<void> {
  const script = 'text/javascript'
  const live = await Promise.all(LIVE_SCRIPT_FILES.map((file) => readFile(file, 'utf8')))
  const assets = [
    { path: CONSOLE_STYLE_PATH, mediaType: 'text/css', content: CONSOLE_STYLE },
    { path: PASSKEY_SCRIPT_PATH, mediaType: script, content: await readFile(PASSKEY_SCRIPT_FILE, 'utf8') },
    { path: COPY_SCRIPT_PATH, mediaType: script, content: await readFile(COPY_SCRIPT_FILE, 'utf8') },
    { path: LIVE_SCRIPT_PATH, mediaType: script, content: live.join('\n') },
  ]
  for (const { path, mediaType, content } of assets) {
    const file = servedFile(mediaType, content)
    server.get(path, async (request, reply) => sendFile(request, reply, file, MAX_AGE_SECONDS))
  }
}
