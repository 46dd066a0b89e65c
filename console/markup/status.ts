/** Renders a status as a label whose colour repeats what its text says. */
import { html } from 'ghtml'
import { consoleText } from '../texts/console-texts.ts'
import { breakableText } from './breakable-text.ts'

const FAILED = ['Rejected', 'Failed', 'FAILED', 'REJECTED', 'Refused', 'CustomerActionRequired', 'open', 'Down']
const DONE = ['Completed', 'Delivered', 'ACCEPTED', 'resolved', 'Operational']

export function statusMarkup(status: string): string {
  const kind = FAILED.includes(status) ? 'failed' : DONE.includes(status) ? 'done' : 'pending'
  return html`<span class="status ${kind}">!${breakableText(status)}</span>`
}

/** Of a partner or its credentials. */
export function enabledMarkup({ disabledAt }: { readonly disabledAt: Temporal.Instant | null }): string {
  return statusMarkup(consoleText(disabledAt === null ? 'partners.enabled' : 'partners.disabled'))
}

/** An HTTP status; redirects do not occur. */
export function httpStatusMarkup(status: number): string {
  return html`<span class="status ${status >= 400 ? 'failed' : 'done'}">${status}</span>`
}
