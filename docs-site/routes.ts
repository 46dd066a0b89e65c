/** Serves the documentation: pages, their style sheet and scripts, the search, and the guides as Markdown. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../gateway/platform/clock.ts'
import { sharedResult } from '../gateway/platform/concurrency.ts'
import { type ServedFile, sendFile, servedFile, serveOnce } from '../gateway/platform/http/served-file.ts'
import type { DocsSettings } from './docs-settings.ts'
import type { DocsSite } from './docs-site.ts'
import {
  POSTMAN_PATH,
  SANDBOX_TIME_PATH,
  SCRIPT_PATHS,
  SEARCH_INDEX_PATH,
  SEARCH_OPTIONS_PATH,
  STYLE_PATH,
} from './layout/page-layout.ts'

/** Scripts and requests of our own origin only, nothing inline. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
const PAGE_HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' }
/** Pages change with a release, and with the settings of the gateway. */
const MAX_AGE_SECONDS = 300
const QUERY_CHARACTERS_MAX = 100
const SCRIPT = 'text/javascript'

const ASSETS = [
  { path: STYLE_PATH, mediaType: 'text/css', file: new URL('layout/docs.css', import.meta.url) },
  { path: SCRIPT_PATHS.page, mediaType: SCRIPT, file: new URL('browser/page-browser.mjs', import.meta.url) },
  { path: SCRIPT_PATHS.days, mediaType: SCRIPT, file: new URL('browser/day-from-today.mjs', import.meta.url) },
  { path: SCRIPT_PATHS.tryIt, mediaType: SCRIPT, file: new URL('browser/try-it.mjs', import.meta.url) },
  { path: SCRIPT_PATHS.search, mediaType: SCRIPT, file: new URL(import.meta.resolve('minisearch')) },
  { path: SEARCH_OPTIONS_PATH, mediaType: SCRIPT, file: new URL('search/search-options.mjs', import.meta.url) },
] as const

/** Registers the routes. Nothing is read or rendered before the first request for it. */
export function serveDocsSite(server: FastifyInstance, place: DocsSettings, clock: Pick<Clock, 'now'>): void {
  // Most starts of a gateway serve no page, so that not even the code is loaded.
  const site = sharedResult(async () => (await import('./docs-site.ts')).openDocsSite(place))
  const files = new Map<string, ServedFile>()
  server.get('/docs', async (request, reply) => sendPage(request, reply, await site(), files))
  server.get('/docs/*', async (request, reply) => sendPage(request, reply, await site(), files))
  server.get<{ Querystring: { q?: unknown } }>('/docs/search', async ({ query: { q } }, reply) => {
    const query = typeof q === 'string' ? q.slice(0, QUERY_CHARACTERS_MAX).trim() : ''
    return sendHtml(reply, 200, await (await site()).searchPage(query))
  })
  const serveAsset = serveOnce(server, MAX_AGE_SECONDS)
  for (const { path, mediaType, file } of ASSETS) {
    serveAsset(path, mediaType, async () => await readFile(fileURLToPath(file), 'utf8'))
  }
  serveAsset(SEARCH_INDEX_PATH, 'application/json', async () => await (await site()).searchIndex())
  serveAsset(POSTMAN_PATH, 'application/json', async () => (await site()).postmanCollection())
  serveAsset('/llms.txt', 'text/plain', async () => (await site()).llmsText())
  if (place.mode === 'sandbox') {
    server.get(SANDBOX_TIME_PATH, (_, reply) =>
      reply.header('cache-control', 'no-store').send({ now: clock.now().toString() }),
    )
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, site: DocsSite, files: Map<string, ServedFile>) {
  const [path = ''] = request.url.split('?')
  const known = files.get(path)
  if (known !== undefined) {
    return sendFile(request, reply.headers(PAGE_HEADERS), known, MAX_AGE_SECONDS)
  }
  const page = site.page(path)
  const text = page ?? site.markdown(path)
  if (text === undefined && path.endsWith('/') && site.paths.includes(path.slice(0, -1))) {
    return reply.redirect(path.slice(0, -1))
  }
  if (text === undefined) {
    return sendHtml(reply, 404, site.notFoundPage())
  }
  const file = servedFile(page === undefined ? 'text/markdown' : 'text/html', text)
  files.set(path, file)
  return sendFile(request, reply.headers(PAGE_HEADERS), file, MAX_AGE_SECONDS)
}

function sendHtml(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(page)
}
