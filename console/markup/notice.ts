/** Renders what an action has done, or why it has changed nothing, above the page. */
import { html } from 'ghtml'
import type { Form } from '../../gateway/platform/http/pages/form.ts'

/** What an action answers, with the status of the page: 200 where it was carried out. A rejected one has changed nothing. */
export type ActionOutcome = { readonly status: number; readonly message: string }

/** A rejected form, and what was entered, when it is shown again. */
export type RejectedForm = ActionOutcome & { readonly entered: Form }

/** Nothing without an action. */
export function noticeMarkup(outcome: ActionOutcome | undefined): string {
  return outcome === undefined
    ? ''
    : html`<div class="notice" role="${outcome.status === 200 ? 'status' : 'alert'}"><p>${outcome.message}</p></div>`
}

/** The same of an action that was carried out, from markup. */
export function doneMarkup(markup: string): string {
  return html`<div class="notice" role="status">!${markup}</div>`
}
