/** Serves the pages of each eID, on which a user identifies, reviews the text and decides. */

import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { errorNote, messagePage, page } from '../bank/pages/layout.ts'
import { sendPage, serveStyle } from '../page-server.ts'
import { startIdentification } from './authorisation-endpoint.ts'
import { decide, Form } from './decide-identification.ts'
import { EIDS, type Eid } from './eids.ts'
import type { AuthorisationRequest } from './grants.ts'
import type { ProviderState } from './provider-state.ts'
import { TEST_PERSONS } from './test-persons.ts'

type Params = { readonly name: string }

export function pageRoutes(state: ProviderState, server: FastifyInstance): void {
  serveStyle(server)
  server.get('/', (_request, reply) => sendPage(reply, 200, frontPage(state.url)))
  for (const eid of EIDS) {
    eidRoutes(state, server, eid)
  }
}

function eidRoutes(state: ProviderState, server: FastifyInstance, eid: Eid): void {
  const place = `/${eid.path}/requests/:name`
  server.get<{ Querystring: Record<string, unknown> }>(`/${eid.path}/authorize`, (request, reply) => {
    const requested = startIdentification(state, eid, request.query)
    if ('validationError' in requested) {
      return sendPage(reply, 400, messagePage(eid.name, 'This is not possible', requested.validationError))
    }
    return reply.redirect('stored' in requested ? `/${eid.path}/requests/${requested.stored}` : requested.redirect, 303)
  })
  server.get<{ Params: Params }>(place, ({ params }, reply) => {
    const request = state.grants.waiting(params.name)
    return request?.eid === eid
      ? sendPage(reply, 200, identifyPage(request, { validationError: null }))
      : sendPage(reply, 404, overPage(eid))
  })
  server.post<{ Params: Params; Body: Form }>(place, { schema: { body: Form } }, ({ params, body }, reply) => {
    const decided = decide(state, params.name, body)
    if (decided === undefined) {
      return sendPage(reply, 404, overPage(eid))
    }
    if ('validationError' in decided) {
      return sendPage(reply, 422, identifyPage(decided.request, { ...body, validationError: decided.validationError }))
    }
    return decided.redirect === null ? sendPage(reply, 200, cancelledPage(eid)) : reply.redirect(decided.redirect, 303)
  })
}

function overPage({ name }: Eid): string {
  return messagePage(name, 'This is over', 'This request has ended. Go back to the app and start again.')
}

/** The previously entered values, and their error. */
type IdentifyFormValues = Omit<Form, 'decision'> & { readonly validationError: string | null }

const FRONT_NAME = 'Sandbox identity provider'

/** Identification and decision on one page: in the sandbox both are requested at once. */
export function identifyPage({ eid, text }: AuthorisationRequest, typed: IdentifyFormValues): string {
  const people = TEST_PERSONS.filter(({ countryCode }) => countryCode === eid.countryCode)
  const chosen = typed.userId ?? people[0]?.id
  const choices = people.map(
    ({ id, name, birthDate }) =>
      html`<label class="choice"><input type="radio" name="userId" value="${id}" ${id === chosen ? 'checked' : ''}>
<span><strong>${name.given} ${name.family}</strong><span class="quiet">born ${birthDate}</span></span></label>`,
  )
  const title = text === null ? `Identify with ${eid.name}` : `Sign with ${eid.name}`
  const content = html`<h1>${title}</h1>
<p>An app requests your identity from ${eid.name}. In the sandbox you select it yourself, without a password.</p>
!${errorNote(typed.validationError)}
!${text === null ? '' : html`<h2>What you sign</h2><div class="card">!${linesOf(text)}</div>`}
<form method="post">
<fieldset><legend>Who are you?</legend>
!${choices.join('')}
</fieldset>
<fieldset><legend>Or another person</legend>
<div class="card">
!${field('given', 'Given name', typed.given)}
!${field('family', 'Family name', typed.family)}
!${field('birthDate', 'Birth date, as 1980-12-31', typed.birthDate)}
!${field('nationalId', 'National id (generated if empty)', typed.nationalId)}
</div>
</fieldset>
!${eid.hasGroups === true ? html`<fieldset><legend>Your groups</legend><div class="card">!${field('groups', 'Separated by spaces', typed.groups)}</div></fieldset>` : ''}
<div class="buttons"><button class="main" name="decision" value="sign">${text === null ? 'Identify' : 'Sign'}</button>
<button class="stop" name="decision" value="reject">Decline</button>
<button class="plain" name="decision" value="leave">Close without answering</button></div>
</form>`
  return page({ title, bankName: eid.name, content })
}

/** Closing the page causes no redirect: apps must detect it themselves. */
function cancelledPage(eid: Eid): string {
  return messagePage(
    eid.name,
    'You have left',
    'No answer was sent to the app that you came from. You can close this page.',
  )
}

export function frontPage(url: string): string {
  const eids = EIDS.map(
    ({ path, name, countryCode }) => html`<dt>${name}</dt><dd>${countryCode}: <code>${url}/<wbr>${path}</code></dd>`,
  )
  const content = html`<h1>${FRONT_NAME}</h1>
<p>It simulates the eIDs with which users identify and sign, by OpenID Connect. All persons are fictitious.</p>
<h2>Issuers</h2>
<dl class="card">!${eids.join('')}</dl>`
  return page({ title: FRONT_NAME, bankName: 'Identity provider', content })
}

function field(name: string, label: string, value: string | undefined): string {
  return html`<label class="field" for="${name}">${label}</label>
<p><input type="text" id="${name}" name="${name}" value="${value ?? ''}" maxlength="200"></p>`
}

function linesOf(text: string): string {
  return text
    .split('\n')
    .map((line) => html`<p>${line}</p>`)
    .join('')
}
