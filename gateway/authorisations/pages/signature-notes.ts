/** Renders the notes on the number of signatures: on the user's own in sequence, and on those of other users. */
import { html } from 'ghtml'
import { isSigned, type ScaSession } from '../sca-session.ts'
import { isPayrollSummary } from '../signature-summary.ts'
import type { ScaPageView } from './sca-page-view.ts'

/** That the bank requires one signature after the other; empty if it requires a single one. */
export function sequenceNote({ session, texts: { text } }: ScaPageView): string {
  const signed = session.steps.filter(({ shown }) => shown.length > 0)
  const count = signed.length
  if (count < 2) {
    return ''
  }
  const isOnePaymentEach = signed.every(({ shown }) => shown.length === 1 && !isPayrollSummary(shown))
  return html`<p class="lead">${isOnePaymentEach ? text('authorisation.review.oneByOne', { count }) : text('authorisation.review.inTurn', { count })}</p>`
}

/** How many items the next signature covers, the first of those that are left; none if it covers all of them. */
export function nextItemCount({ steps }: Pick<ScaSession, 'steps'>): number {
  const [next, ...later] = steps.filter((step) => !isSigned(step) && step.shown.length > 0)
  return next === undefined || later.length === 0 ? 0 : next.shown.length
}

/** To a user who has not signed yet: that other users have. */
export function earlierSignaturesNote({ signatures, texts }: ScaPageView): string {
  if (signatures === undefined || signatures.isOwn) {
    return ''
  }
  const { text } = texts
  const signers = signersText({ signatures, texts })
  return html`<p class="lead">${text('authorisation.signers.soFar', { signers })} ${text('authorisation.signers.yoursToo')}</p>`
}

/** To a user who has signed: that another user must, too. */
export function furtherSignatureNote({ parties, signatures, texts }: ScaPageView): string {
  if (signatures === undefined) {
    return ''
  }
  const { text } = texts
  const signers = signersText({ signatures, texts })
  return html`<p class="lead">${text('authorisation.signers.another', parties)} ${text('authorisation.signers.soFar', { signers })}</p>`
}

type Signers = { readonly signatures: NonNullable<ScaPageView['signatures']>; readonly texts: ScaPageView['texts'] }

/** Of other users only the end of their ids is shown: many ids at banks are national ids. */
function signersText({ signatures: { isOwn, others }, texts: { language, text } }: Signers): string {
  const names = [
    ...(isOwn ? [text('authorisation.signers.you')] : []),
    ...others.map((user) => text('authorisation.signers.user', { user })),
  ]
  return names.length === 0
    ? text('authorisation.signers.unknown')
    : new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}
