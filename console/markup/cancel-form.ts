/** The form that cancels an order for a user, who is chosen by their consent: some banks require a signature. */
import { html } from 'ghtml'
import type { Consent } from '../../gateway/consents/consent.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import type { Viewer } from '../access/viewer.ts'
import { consoleText } from '../texts/console-texts.ts'
import { seenField } from './seen-state.ts'

/** The name of the field. */
export const CONSENT_FIELD = 'consent'

type CancelForm = {
  readonly path: string
  /** The state that the page shows. */
  readonly state: string
  readonly button: string
}

export function cancelForm(
  { path, state, button }: CancelForm,
  consents: readonly Consent[],
  { token }: Viewer,
): string {
  const options = consents.map(
    ({ id, userIdMasked }) =>
      html`<option value="${id}">${userIdMasked ?? consoleText('cancelPayment.unknownUser')}</option>`,
  )
  return html`<form class="filters" method="post" action="${path}">
!${tokenField(token)}!${seenField(state)}
<div class="field"><label for="cancel-consent">${consoleText('cancelPayment.user')}</label>
<select id="cancel-consent" name="${CONSENT_FIELD}" autocomplete="off">!${options.join('')}</select></div>
<div class="field buttons"><button class="second">${button}</button></div></form>`
}
