/** Renders the start page of a link: the partner, the company, the required information and the duration. */
import { html } from 'ghtml'
import type { Page } from '../../../platform/http/pages/page.ts'
import { detailLine, type FlowView, flowPage } from '../flow-view.ts'

/** The start page of the company's link. */
export function startPage(view: FlowView): Page {
  const { onboarding, parties, texts } = view
  const { start } = texts
  // Without a name the title already shows the number.
  const number = detailLine(start.number, `${onboarding.countryCode} ${onboarding.organisationNumber}`)
  const asked = start.asked.map((what) => html`<li>${what}</li>`)
  return flowPage(view, {
    title: start.title(parties.partner),
    body: html`
<p>!${start.asksMarkup(parties)}</p>
!${onboarding.organisationName === null ? '' : html`<dl>!${number}</dl>`}
<h2>${start.askedFor}</h2>
<ul>!${asked.join('')}</ul>
<p>${start.takes}</p>
!${beginForm(view, onboarding.status === 'Created' ? start.begin : start.goOn)}`,
  })
}

/** The start page of a signer's link: it discloses only the company's name. */
export function ownStartPage(view: FlowView): Page {
  const { parties, texts } = view
  return flowPage(view, {
    title: texts.ownSignature.title(parties.company),
    body: html`
<p>!${texts.ownSignature.startMarkup(parties.company)}</p>
!${beginForm(view, texts.start.goOn)}`,
  })
}

/** Only this button uses the link: a GET has no side effects. */
function beginForm({ path, tokenField }: FlowView, label: string): string {
  return html`<div class="actions"><form method="post" action="${path}">!${tokenField}<button type="submit">${label}</button></form></div>`
}
