/** Renders the signatures page: the signers' statuses, buttons to sign here, and signer links. */
import { html } from 'ghtml'
import { formatDate } from '../../../platform/http/pages/form.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { currentSigners, hasLink, type Signer } from '../../store/onboarding-signer.ts'
import { type FlowView, flowPage, formTo, navigationLinks } from '../flow-view.ts'
import { roleText } from './signers-page.ts'

/** The form that shows a new link in another language: only the browser has the link. */
const LINK_FORM = 'link'

/** The result of the latest action, shown once. */
export type SignaturesNote =
  | { readonly kind: 'link'; readonly signerId: string; readonly address: string }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'other-person' }

export function signaturesPage(view: FlowView, signers: readonly Signer[], note: SignaturesNote | null = null): Page {
  const { text } = view.texts
  const current = currentSigners(signers)
  const isOut = current.some((signer) => signer.status === 'Waiting' && hasLink(signer))
  return flowPage(view, {
    title: text('onboarding.signatures.title'),
    switchForm: note?.kind === 'link' ? LINK_FORM : undefined,
    body: html`
!${note === null ? '' : noteMarkup(view, current, note)}
<p>${text('onboarding.signatures.intro')}</p>
!${current.map((signer) => signerMarkup(view, signer)).join('')}
!${isOut ? html`<p>${text('onboarding.signatures.mayClose')}</p><p><a class="button second" href="${view.path}/signatures">${text('onboarding.signatures.refresh')}</a></p>` : ''}
!${formTo(view, 'signatures/change', html`<p><button type="submit" class="second">${text('onboarding.signatures.change')}</button></p><p class="quiet">${text('onboarding.signatures.changeHint')}</p>`)}
!${navigationLinks(view)}`,
  })
}

/** A signer with the available actions; a signer who declined may be asked again. */
function signerMarkup(view: FlowView, signer: Signer): string {
  const { texts } = view
  const { text } = texts
  const { birthDate, id, name, role, status } = signer
  const linked = hasLink(signer)
  const who = [
    ...(role === null ? [] : [roleText(texts, role)]),
    text('onboarding.signatures.bornOn', { date: formatDate(birthDate, texts.language) }),
  ]
  const button = (action: string, label: string, look: string) =>
    formTo(view, `signatures/${id}/${action}`, html`<button type="submit" class="${look}">${label}</button>`)
  const waiting = [
    button('sign', text('onboarding.signatures.signHere', { name }), ''),
    button(
      'link',
      linked ? text('onboarding.signatures.anotherLink', { name }) : text('onboarding.signatures.makeLink', { name }),
      'second',
    ),
    ...(linked ? [button('revoke', text('onboarding.signatures.revokeLink', { name }), 'plain')] : []),
  ]
  const buttons = {
    Waiting: waiting,
    Declined: [button('ask', text('onboarding.signatures.askAgain', { name }), 'second')],
    Signed: [],
    Revoked: [],
  }[status]
  const state = status === 'Waiting' && linked ? ` ${text('onboarding.signatures.hasLink')}` : ''
  return html`<section class="row" aria-labelledby="signer-${id}">
<h2 id="signer-${id}">${name}</h2>
<p class="quiet">${who.join(', ')}</p>
<p><strong>${text(`onboarding.signatures.status.${status}`)}.</strong>${state}</p>
!${buttons.length === 0 ? '' : html`<div class="actions">!${buttons.join('')}</div>`}
</section>`
}

function noteMarkup(view: FlowView, signers: readonly Signer[], note: SignaturesNote): string {
  const { text } = view.texts
  switch (note.kind) {
    case 'link': {
      const name = signers.find(({ id }) => id === note.signerId)?.name ?? ''
      return html`<div class="notice" role="status" tabindex="-1" autofocus>
<h2>${text('onboarding.signatures.linkTitle', { name })}</h2>
<p class="link">${note.address}</p>
<p>${text('onboarding.signatures.linkOnce')}</p>
!${formTo(view, `signatures/${note.signerId}/shown`, html`<input type="hidden" name="address" value="${note.address}">`, LINK_FORM)}
</div>`
    }
    case 'revoked':
      return html`<div class="notice" role="status"><p>${text('onboarding.signatures.linkRevoked')}</p></div>`
    case 'failed':
      return html`<div class="notice" role="status"><p>${text('onboarding.signer.failed')}</p></div>`
    case 'other-person':
      return html`<div class="notice" role="alert"><p>${text('onboarding.signer.otherPerson')}</p></div>`
  }
}
