/** Serves the icon that browsers show for our pages, also at the path where they look for one by themselves. */
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'

/** What follows `/` in its URL: pages behind a proxy with a prefix name it relative to themselves. */
export const FAVICON_PATH = 'assets/favicon.svg'
const MAX_AGE_SECONDS = 86_400

/** Our logo on a ground of its own, because tabs are light or dark. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5a73"/><g transform="translate(4 3)" fill="none" stroke="#fff" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><circle cx="12" cy="5" r="2"/><path d="M12 7v13M8 11h8M4 14c0 4 4 6 8 6s8-2 8-6"/></g></svg>'

/** `root` leads from the page to `/`. */
export function faviconLink(root = '/'): string {
  return html`<link rel="icon" type="image/svg+xml" href="${root}${FAVICON_PATH}">`
}

export function serveFavicon(server: FastifyInstance): void {
  server.get(`/${FAVICON_PATH}`, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'image/svg+xml',
        'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
        'x-content-type-options': 'nosniff',
      })
      .send(FAVICON),
  )
  server.get('/favicon.ico', async (_request, reply) => reply.redirect(`/${FAVICON_PATH}`, 301))
}
