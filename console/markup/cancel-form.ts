/** The form that cancels an order for a user, who is chosen by their consent: some banks require a signature. */
import type { Consent } from '../../gateway/consents/consent.ts'
import type { Viewer } from '../access/viewer.ts'
import { consoleText } from '../texts/console-texts.ts'
import { actionForm } from './action-form.ts'

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
  const choices = consents.map(({ id, userIdMasked }) => ({
    value: id,
    label: userIdMasked ?? consoleText('cancelPayment.unknownUser'),
  }))
  const fields = [{ name: CONSENT_FIELD, label: consoleText('cancelPayment.user'), choices }]
  return actionForm({ path, button, fields, token, seen: state, isRow: true, isSecondary: true })
}
