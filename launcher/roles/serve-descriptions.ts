/** Serves what describes the API, without a token: its OpenAPI document and the landing page. */
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { openApiDocument } from '../../contract/openapi/openapi-document.ts'
import type { Config } from '../../gateway/config/config.ts'
import { sendPage } from '../../gateway/platform/http/pages/page.ts'

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

const LINKS = [
  ['/console', 'Console', 'for partners and operators: payments, webhooks, requests, tasks'],
  ['/docs', 'Documentation', 'guides, from the first payment to operating Havn'],
  ['/docs/reference', 'API reference', 'every operation, with examples'],
  ['/openapi.json', 'OpenAPI document', 'the same for programs'],
  ['/readyz', 'Health', 'whether this server answers requests'],
] as const

/** Browsers get the page; programs, which name no HTML, are redirected to the documentation. */
export function serveLandingPage(server: FastifyInstance, { mode }: Pick<Config, 'mode'>): void {
  const which =
    mode === 'sandbox' ? 'This is a sandbox: no real bank, no real money.' : 'This server is connected to real banks.'
  const items = LINKS.map(([path, name, what]) => html`<li><a href="${path}">${name}</a> – ${what}</li>`)
  const body = html`<p>Havn connects software for accounting and payroll with the banks of its customers: payments, payrolls, approvals, account information. ${which}</p>
<ul>!${items.join('\n')}</ul>`
  server.get('/', async (request, reply) => {
    reply.header('vary', 'accept')
    return /\btext\/html\b/.test(request.headers.accept ?? '')
      ? sendPage(reply, { status: 200, title: 'A gateway between software and banks', body })
      : reply.redirect('/docs')
  })
}
