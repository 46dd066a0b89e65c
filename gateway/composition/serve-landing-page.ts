/** Serves the page at `/`: what this server is, and where its pages, documents and interfaces are. */
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Config } from '../config/config.ts'
import { sendPage } from '../platform/http/pages/page.ts'

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
