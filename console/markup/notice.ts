/** Renders what an action has done, or why it has changed nothing, above the page. */
import { html } from 'ghtml'

/** The answer to an action; nothing was changed by one that was rejected. */
export type ActionOutcome =
  | { readonly kind: 'done'; readonly message: string }
  | { readonly kind: 'rejected'; readonly status: number; readonly message: string }

/** Nothing without an action. */
export function noticeMarkup(outcome: ActionOutcome | undefined): string {
  return outcome === undefined
    ? ''
    : html`<div class="notice" role="${outcome.kind === 'done' ? 'status' : 'alert'}"><p>${outcome.message}</p></div>`
}

/** The status of the page. */
export function statusOfOutcome(outcome: ActionOutcome | undefined): number {
  return outcome?.kind === 'rejected' ? outcome.status : 200
}
