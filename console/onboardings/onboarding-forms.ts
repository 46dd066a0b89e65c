/** Renders the actions on an onboarding that its state permits. */
import { html } from 'ghtml'
import {
  isOpen,
  maySign,
  type Onboarding,
  type OnboardingReason,
  reasonsByStatus,
} from '../../gateway/onboarding/store/onboarding.ts'
import { hasLink, type Signer } from '../../gateway/onboarding/store/onboarding-signer.ts'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import { optionsOf } from '../markup/action-form.ts'
import { seenField } from '../markup/seen-state.ts'
import { type ConsoleTextKey, consoleText } from '../texts/console-texts.ts'

export const REJECTION_REASONS: readonly OnboardingReason[] = reasonsByStatus.Rejected.filter(
  (reason) => reason !== null,
)

/** Identifies the state that a user has seen, so that a form notices that it has changed. */
export function onboardingVersion(onboarding: Onboarding): string {
  const { status, statusReason, revision, tasksDone, documentsRequestedAt } = onboarding
  return hashToken(JSON.stringify([status, statusReason, revision, tasksDone, documentsRequestedAt?.toString()]))
}

type Shown = {
  readonly path: string
  readonly onboarding: Onboarding
  readonly viewer: Viewer
  readonly entered: Form | undefined
}

/** Operators review; partners' users cancel. */
export function onboardingForms(shown: Shown, signers: readonly Signer[]): string {
  const { onboarding, viewer } = shown
  const { roles } = viewer.session
  const mayReview = isPermitted(roles, 'operations.act')
  const review = mayReview && onboarding.status === 'ManualHandling' ? reviewForms(shown) : ''
  const links = mayReview && isOpen(onboarding) ? linkForms(shown, signers) : ''
  const cancel =
    isPermitted(roles, 'payments.act') && isOpen(onboarding)
      ? html`<h2>${consoleText('onboarding.cancel')}</h2>
<p>${consoleText('onboarding.cancelExplain')}</p>!${formOf(shown, 'cancel', '', consoleText('onboarding.cancelNow'))}`
      : ''
  return [review, links, cancel].join('\n')
}

function reviewForms(shown: Shown): string {
  const { entered } = shown
  const despite = selectOf('despite', ['onboarding.despite', 'onboarding.despiteNothing'], entered)
  const reason = selectOf('reason', ['onboarding.rejectReason', 'onboarding.chooseReason'], entered)
  const words = html`<div class="field"><label for="words">${consoleText('onboarding.words')}</label>
<textarea id="words" name="words" rows="3" required maxlength="2000" autocomplete="off">${entered?.text('words') ?? ''}</textarea></div>`
  return html`<h2>${consoleText('onboarding.accept')}</h2>
<p>${consoleText('onboarding.acceptExplain')}</p>
!${formOf(shown, 'accept', despite, consoleText('onboarding.acceptNow'))}
<h2>${consoleText('onboarding.ask')}</h2>
!${formOf(shown, 'ask-for-documents', words, consoleText('onboarding.askNow'))}
<h2>${consoleText('onboarding.reject')}</h2>
!${formOf(shown, 'reject', reason, consoleText('onboarding.rejectNow'))}`
}

function linkForms(shown: Shown, signers: readonly Signer[]): string {
  const signerOf = ({ id }: Signer) => html`<input type="hidden" name="signer" value="${id}">`
  const ofSigners = signers
    .filter((signer) => maySign(shown.onboarding) && hasLink(signer))
    .map((signer) =>
      formOf(shown, 'revoke-link', signerOf(signer), consoleText('onboarding.revokeSigner', { name: signer.name })),
    )
  return html`<h2>${consoleText('onboarding.links')}</h2>
<p>${consoleText('onboarding.linksExplain')}</p>
!${formOf(shown, 'revoke-link', '', consoleText('onboarding.revokeCompany'))}
!${ofSigners.join('\n')}`
}

function formOf({ path, onboarding, viewer }: Shown, action: string, fields: string, label: string): string {
  return html`<form class="form" method="post" action="${path}/${action}">
!${tokenField(viewer.token)}!${seenField(onboardingVersion(onboarding))}
!${fields}
<p class="actions"><button class="second">${label}</button></p>
</form>`
}

/** A choice of the reasons for a rejection, and first of none. */
function selectOf(
  name: 'despite' | 'reason',
  [label, none]: readonly [label: ConsoleTextKey, none: ConsoleTextKey],
  entered: Form | undefined,
): string {
  const chosen = entered?.text(name) ?? ''
  const reasons = REJECTION_REASONS.map((reason) => ({ value: reason, label: reason }))
  return html`<div class="field"><label for="${name}">${consoleText(label)}</label>
<select id="${name}" name="${name}" autocomplete="off" !${name === 'reason' ? 'required' : ''}><option value="">${consoleText(none)}</option>!${optionsOf(reasons, chosen)}</select></div>`
}
