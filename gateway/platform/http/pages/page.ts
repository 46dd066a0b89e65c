/** Renders and sends pages of the gateway: one layout and style sheet, a strict Content-Security-Policy, no scripts. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { faviconLink, serveFavicon } from './favicon.ts'
import { languageSwitch, type PageLanguages } from './page-language.ts'
import { FORM_STYLE, PAGE_STYLE } from './page-style.ts'

export type Page = PageLanguages & {
  readonly status: number
  readonly title: string
  /** Markup made with `html`, in which every value is escaped. */
  readonly body: string
  /** Other origins that its forms may lead to: browsers apply form-action to redirects after a form, too. */
  readonly formOrigins?: readonly string[]
  /** Reloads the page after so many seconds. */
  readonly refreshSeconds?: number
}

/** Our logo, in the colour of the surrounding text. */
export const LOGO_SVG =
  '<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="12" cy="5" r="2"/><path d="M12 7v13M8 11h8M4 14c0 4 4 6 8 6s8-2 8-6"/></svg>'

const STYLE_PATH = 'assets/havn.css'
const STYLE_MAX_AGE_SECONDS = 3600

/** Serves the style sheet and the icon. */
export function serveStyle(server: FastifyInstance): void {
  serveFavicon(server)
  server.get(`/${STYLE_PATH}`, async (_request, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', `public, max-age=${STYLE_MAX_AGE_SECONDS}`)
      .send(PAGE_STYLE + FORM_STYLE),
  )
}

/** Sends a page. Its URL may contain a token: nothing is cached, and no referrer is sent. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const formAction = ["'self'", ...(page.formOrigins ?? [])].join(' ')
  return reply
    .code(page.status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(page.refreshSeconds === undefined ? {} : { refresh: String(page.refreshSeconds) }),
    })
    .send(layout(page, rootFrom(reply.request.url), languageSwitch(page, reply.request)))
}

/** Redirects the browser, without a referrer. Only what a header cannot hold is encoded, as browsers do. */
export function sendRedirect(reply: FastifyReply, url: string): FastifyReply {
  const location = url.replace(/[^!-~]/gu, (character) => encodeURIComponent(character.toWellFormed()))
  return reply.code(303).headers({ location, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }).send('')
}

/** Relative, because a proxy may have removed a prefix of the page's path. */
function rootFrom(url: string): string {
  const parts = (url.split('?')[0] ?? '').split('/')
  return '../'.repeat(Math.max(0, parts.length - 2))
}

function layout({ title, body, language = 'en' }: Page, root: string, switchMarkup: string): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
!${faviconLink(root)}
<link rel="stylesheet" href="${root}${STYLE_PATH}">
</head>
<body>
<header>
!${LOGO_SVG}
Havn
!${switchMarkup}
</header>
<main>
<h1>${title}</h1>
!${body}
</main>
</body>
</html>
`
}
