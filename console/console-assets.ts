/** Serves the style sheet and the scripts of the console, which no page has inline. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { serveOnce } from '../gateway/platform/http/served-file.ts'
import { CONSOLE_STYLE, CONSOLE_STYLE_PATH } from './layout/console-style.ts'
import { LIVE_SCRIPT_FILES, LIVE_SCRIPT_PATH } from './live/live-region.ts'
import { COPY_SCRIPT_FILE, COPY_SCRIPT_PATH } from './markup/copy/copy-button.ts'
import { PASSKEY_SCRIPT_FILE, PASSKEY_SCRIPT_PATH } from './sign-in/passkey/passkey-pages.ts'

const MAX_AGE_SECONDS = 3600
const SCRIPTS = [
  { path: PASSKEY_SCRIPT_PATH, files: [PASSKEY_SCRIPT_FILE] },
  { path: COPY_SCRIPT_PATH, files: [COPY_SCRIPT_FILE] },
  { path: LIVE_SCRIPT_PATH, files: LIVE_SCRIPT_FILES },
]

export function serveConsoleAssets(server: FastifyInstance): void {
  const serve = serveOnce(server, MAX_AGE_SECONDS)
  serve(CONSOLE_STYLE_PATH, 'text/css', async () => CONSOLE_STYLE)
  for (const { path, files } of SCRIPTS) {
    serve(path, 'text/javascript', async () => {
      const parts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
      return parts.join('\n')
    })
  }
}
