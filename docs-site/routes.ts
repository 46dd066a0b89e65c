/** Serves the public API reference: static pages and their style sheet, without scripts. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { apiReferencePage } from './api-reference-page.ts'
import { DOCS_STYLE } from './docs-style.ts'
import type { DocsSettings } from './guides/guide.ts'
import { DOCS_STYLE_PATH } from './page-layout.ts'
import { sandboxPage } from './sandbox-page.ts'

const SANDBOX_DOCUMENT = new URL('../docs/sandbox.md', import.meta.url)
const MAX_AGE_SECONDS = 300
const POLICY = "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
const CACHE_HEADERS = { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, 'x-content-type-options': 'nosniff' }

/** Registers `GET /docs` and, in the sandbox, `GET /docs/sandbox`; `/` redirects to `/docs`. */
export async function serveDocsSite(server: FastifyInstance, place: DocsSettings): Promise<void> {
  servePage(server, '/docs', () => apiReferencePage(place))
  if (place.mode === 'sandbox') {
    const document = await readFile(SANDBOX_DOCUMENT, 'utf8')
    servePage(server, '/docs/sandbox', () => sandboxPage(document, place))
  }
  for (const path of ['/', '/docs/']) {
    server.get(path, async (_request, reply) => reply.redirect('/docs'))
  }
  server.get(DOCS_STYLE_PATH, async (_request, reply) =>
    reply.headers({ ...CACHE_HEADERS, 'content-type': 'text/css; charset=utf-8' }).send(DOCS_STYLE),
  )
}

/** The page is rendered at its first request: most starts of a gateway serve none. */
function servePage(server: FastifyInstance, path: string, render: () => string): void {
  let page: string | undefined
  server.get(path, async (_request, reply) => {
    page ??= render()
    return reply
      .headers({
        ...CACHE_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
      })
      .send(page)
  })
}
