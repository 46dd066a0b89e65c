/** The choice of the user who acts at the bank, by their consent: some banks require a signature. */
import { html } from 'ghtml'
import type { Consent } from '../../gateway/consents/consent.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The name of the field. */
export const CONSENT_FIELD = 'consent'

export function consentUserField(consents: readonly Consent[]): string {
  const options = consents.map(
    ({ id, userIdMasked }) =>
      html`<option value="${id}">${userIdMasked ?? consoleText('cancelPayment.unknownUser')}</option>`,
  )
  return html`<div class="field"><label for="cancel-consent">${consoleText('cancelPayment.user')}</label>
<select id="cancel-consent" name="${CONSENT_FIELD}" autocomplete="off">!${options.join('')}</select></div>`
}
