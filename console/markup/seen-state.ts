/** Notices that something has changed since the user saw it: a form says in which state it was shown. */
import { html } from 'ghtml'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { ActionOutcome } from './notice.ts'

export const SEEN_FIELD = 'seen'

export function seenField(state: string): string {
  return html`<input type="hidden" name="${SEEN_FIELD}" value="${state}">`
}

/** Rejects a form whose state has changed; undefined while it is as the user saw it. */
export function changeSinceSeen(form: Pick<Form, 'text'>, state: string): ActionOutcome | undefined {
  const seen = form.text(SEEN_FIELD)
  return seen === state ? undefined : { status: 409, message: consoleText('decisions.changed', { seen, state }) }
}
