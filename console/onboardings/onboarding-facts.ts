/** Renders the state of an onboarding as its partner sees it: without documents and personal data. */
import { html } from 'ghtml'
import { renderOnboarding } from '../../gateway/onboarding/get-onboarding.ts'
import { type Onboarding, onboardingTransitions } from '../../gateway/onboarding/store/onboarding.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { reasonMarkup } from '../markup/explained-codes.ts'
import { factList } from '../markup/fact-list.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

/** `partnerName` is shown to operators. */
export function onboardingFacts(onboarding: Onboarding, partnerName: string | undefined): string {
  const shown = renderOnboarding(onboarding)
  const next = onboardingTransitions[onboarding.status]
  return factList([
    [consoleText('onboarding.status'), statusMarkup(shown.status)],
    [consoleText('onboarding.reason'), reasonMarkup(shown.statusReason)],
    [consoleText('onboarding.next'), html`${next.join(', ')}`],
    [consoleText('onboarding.company'), html`${shown.country} ${shown.organizationNumber}`],
    [consoleText('payments.partner'), partnerName && html`${partnerName}`],
    [consoleText('onboarding.created'), timeMarkup(onboarding.createdAt)],
    [consoleText('onboarding.changed'), timeMarkup(onboarding.updatedAt)],
    [consoleText('onboarding.expires'), onboarding.expiresAt === null ? undefined : timeMarkup(onboarding.expiresAt)],
    [consoleText('onboarding.redirectUrl'), html`${shown.redirectUrl ?? ''}`],
    [consoleText('onboarding.id'), copyableCode(shown.id, consoleText('onboarding.id'))],
  ])
}

/** What the company has to do, in the order of the flow. */
export function onboardingSteps(onboarding: Onboarding): string {
  const items = renderOnboarding(onboarding).tasks.map(({ type, status }) => {
    const state = consoleText(status === 'Done' ? 'onboarding.done' : 'onboarding.open')
    return html`<li class="${status === 'Done' ? 'done' : ''}">${consoleText(`onboarding.tasks.${type}`)}: <strong>${state}</strong></li>`
  })
  return html`<h2>${consoleText('onboarding.steps')}</h2><ol class="steps">!${items.join('\n')}</ol>`
}
