/** Notices that something has changed since the user saw it: a form says in which state it was shown. */
import { html } from 'ghtml'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { consoleText } from '../texts/console-texts.ts'

const SEEN_FIELD = 'seen'

export function seenField(state: string): string {
  return html`<input type="hidden" name="${SEEN_FIELD}" value="${state}">`
}

/** What has changed; undefined while the state is as the user saw it. */
export function changeSinceSeen(form: Pick<Form, 'text'>, state: string): string | undefined {
  const seen = form.text(SEEN_FIELD)
  return seen === state ? undefined : consoleText('decisions.changed', { seen, state })
}
