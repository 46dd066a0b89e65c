/** Renders the pages for signatures in an app or on a device: the bank's methods, and what to do with the chosen one. */
import { html } from 'ghtml'
import type { ScaMethod } from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import type { Page } from '../../platform/http/pages/page.ts'
import { scaSealPurpose } from '../authorisation/start-step-authorisation.ts'
import { currentScaStep } from '../sca-session.ts'
import { scaMethodsOf } from '../select-sca-method.ts'
import { leaveText, page, summaryItemsOf } from './pages.ts'
import type { ScaPageView } from './sca-page-view.ts'
import { renderSummary } from './summary-markup.ts'

/** The page of the app or, before it, the bank's methods; `isRejected`: the bank did not accept the last choice. */
export function appOrMethodPage(context: Context, view: ScaPageView, isRejected = false): Page {
  const { session, address } = view
  const step = currentScaStep(session)
  const methods = scaMethodsOf(context, session, step)
  if (methods !== undefined) {
    return methodPage(view, methods, isRejected)
  }
  const text = step?.textSealed == null ? null : context.seal.open(step.textSealed, scaSealPurpose('text', session.id))
  return appPage(view, { text, qrAddress: step?.approach === 'code' ? `${address}/code.png` : null })
}

/** The bank's instructions and the URL of its QR code, for signatures that are given in an app. */
type AppInstructions = { readonly text: string | null; readonly qrAddress: string | null }

/** While the user signs in an app; with a QR code for a phone that scans this screen. */
function appPage(view: ScaPageView, { text: bankText, qrAddress }: AppInstructions): Page {
  const { address, parties, texts } = view
  const { text } = texts
  return page(view, {
    title: text('authorisation.app.title'),
    refreshSeconds: 1,
    body: html`
<p role="status">${qrAddress === null ? text('authorisation.app.openApp', parties) : text('authorisation.app.scan')}</p>
!${bankText === null ? '' : html`<p>${text('authorisation.app.bankSays', parties)} <q>${bankText}</q></p>`}
!${qrAddress === null ? html`<span class="waiting"></span>` : html`<img class="code" src="${qrAddress}" alt="${text('authorisation.app.codeAlternative')}">`}
<p class="quiet">${text('authorisation.app.refreshes')}</p>
!${openSummary(view)}
<div class="actions">
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>`,
  })
}

/** What the open steps sign. */
function openSummary({ session, texts }: ScaPageView): string {
  return renderSummary(texts, summaryItemsOf({ steps: session.steps.filter((step) => step.state === 'open') }))
}

/** Is not reloaded, because the user reads it. */
function methodPage(view: ScaPageView, methods: readonly ScaMethod[], isRejected: boolean): Page {
  const { address, parties, texts } = view
  const { text } = texts
  const buttons = methods.map(
    ({ id, name, explanation }) => html`<form method="post" action="${address}/method">
<input type="hidden" name="method" value="${id}"><button type="submit">${name}</button>
!${explanation === null ? '' : html`<p class="quiet">${explanation}</p>`}
</form>`,
  )
  return page(view, {
    title: text('authorisation.method.title'),
    body: html`
!${isRejected ? html`<p role="alert">${text('authorisation.method.rejected', parties)}</p>` : ''}
<p>${text('authorisation.method.text', parties)}</p>
!${openSummary(view)}
<div class="actions">
!${buttons}
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>`,
  })
}
