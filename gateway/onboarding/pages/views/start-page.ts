/** The page behind the link: who asks, for which company, what will be asked, and how long it takes. It uses nothing up. */
import { html } from 'ghtml'
import type { Page } from '../../../platform/http/pages/page.ts'
import { type FlowView, flowPage, knownLine } from '../flow-view.ts'

/** For the company's people, who came by the link that the partner was given. */
export function startPage(view: FlowView): Page {
  const { onboarding, parties, texts } = view
  const { start } = texts
  // Until a registry has told the name, the number stands in its place above.
  const number = knownLine(start.number, `${onboarding.countryCode} ${onboarding.organisationNumber}`)
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

/** For a signer with a link of their own: it names the company, and nothing else. */
export function ownStartPage(view: FlowView): Page {
  const { parties, texts } = view
  return flowPage(view, {
    title: texts.ownSignature.title(parties.company),
    body: html`
<p>!${texts.ownSignature.startMarkup(parties.company)}</p>
!${beginForm(view, texts.start.goOn)}`,
  })
}

/** The link is used by this button, never by looking at it. */
function beginForm({ path, tokenField }: FlowView, label: string): string {
  return html`<div class="actions"><form method="post" action="${path}">!${tokenField}<button type="submit">${label}</button></form></div>`
}
