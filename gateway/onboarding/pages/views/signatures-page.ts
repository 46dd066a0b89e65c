/** Renders the signatures page: the signers' statuses, buttons to sign here, and signer links. */
import { html } from 'ghtml'
import { formatDate } from '../../../platform/http/pages/form.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { currentSigners, hasLink, type Signer } from '../../signatures/onboarding-signer.ts'
import { type FlowView, flowPage, formTo, navigationLinks } from '../flow-view.ts'
import { roleText } from './signers-page.ts'

/** The result of the latest action, shown once. */
export type SignaturesNote =
  | { readonly kind: 'link'; readonly signerId: string; readonly address: string }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'other-person' }

export function signaturesPage(view: FlowView, signers: readonly Signer[], note: SignaturesNote | null = null): Page {
  const { texts } = view
  const current = currentSigners(signers)
  const isOut = current.some((signer) => signer.status === 'Waiting' && hasLink(signer))
  return flowPage(view, {
    title: texts.signatures.title,
    body: html`
!${note === null ? '' : noteMarkup(view, current, note)}
<p>${texts.signatures.intro}</p>
!${current.map((signer) => signerMarkup(view, signer)).join('')}
!${isOut ? html`<p>${texts.signatures.others}</p><p><a class="button second" href="${view.path}/signatures">${texts.signatures.lookAgain}</a></p>` : ''}
!${formTo(view, 'signatures/change', html`<p><button type="submit" class="second">${texts.signatures.change}</button></p><p class="quiet">${texts.signatures.changeHint}</p>`)}
!${navigationLinks(view)}`,
  })
}

/** A signer with the available actions; a signer who declined may be asked again. */
function signerMarkup(view: FlowView, signer: Signer): string {
  const { texts } = view
  const { birthDate, id, name, role, status } = signer
  const linked = hasLink(signer)
  const who = [...(role === null ? [] : [roleText(texts, role)]), texts.signatures.bornOn(formatDate(birthDate))]
  const button = (action: string, label: string, look: string) =>
    formTo(view, `signatures/${id}/${action}`, html`<button type="submit" class="${look}">${label}</button>`)
  const waiting = [
    button('sign', texts.signatures.signHere(name), ''),
    button('link', linked ? texts.signatures.anotherLink(name) : texts.signatures.makeLink(name), 'second'),
    ...(linked ? [button('revoke', texts.signatures.revoke(name), 'plain')] : []),
  ]
  const buttons = {
    Waiting: waiting,
    Refused: [button('ask', texts.signatures.askAgain(name), 'second')],
    Signed: [],
    Revoked: [],
  }[status]
  const state = status === 'Waiting' && linked ? ` ${texts.signatures.linkOut}` : ''
  return html`<section class="row" aria-labelledby="signer-${id}">
<h2 id="signer-${id}">${name}</h2>
<p class="quiet">${who.join(', ')}</p>
<p><strong>${texts.signatures.status[status]}.</strong>${state}</p>
!${buttons.length === 0 ? '' : html`<div class="actions">!${buttons.join('')}</div>`}
</section>`
}

function noteMarkup({ texts }: FlowView, signers: readonly Signer[], note: SignaturesNote): string {
  switch (note.kind) {
    case 'link': {
      const name = signers.find(({ id }) => id === note.signerId)?.name ?? ''
      return html`<div class="notice" role="status" tabindex="-1" autofocus>
<h2>${texts.signatures.link(name)}</h2>
<p class="link">${note.address}</p>
<p>${texts.signatures.linkOnce}</p>
</div>`
    }
    case 'revoked':
      return html`<div class="notice" role="status"><p>${texts.signatures.revoked}</p></div>`
    case 'failed':
      return html`<div class="notice" role="status"><p>${texts.ownSignature.failed}</p></div>`
    case 'other-person':
      return html`<div class="notice" role="alert"><p>${texts.ownSignature.otherPerson}</p></div>`
  }
}
