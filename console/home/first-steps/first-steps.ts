/** Shows what a developer does first in the sandbox: which steps are done, and how the others are. */
import { html } from 'ghtml'
import type { Context } from '../../../gateway/context.ts'
import { tokenField } from '../../../gateway/platform/http/pages/form-token.ts'
import { isPermitted } from '../../access/console-role.ts'
import type { Viewer } from '../../access/viewer.ts'
import { LIVE_SCRIPT_PATH, liveRegion } from '../../live/live-region.ts'
import { copyableLines } from '../../markup/copy/copy-button.ts'
import { consoleText } from '../../texts/console-texts.ts'
import { FIRST_STEPS, type FirstStep, findFirstSteps } from './find-first-steps.ts'
import { stepContextOf } from './perform-step.ts'
import { commandsOf, type RequestValues } from './step-requests.ts'

export const FIRST_STEPS_PATH = '/console/first-steps'
export const FIRST_STEPS_SCRIPTS = [LIVE_SCRIPT_PATH]

/** The partner whose first steps the user sees; null for operators, and outside the sandbox. */
export function firstStepsPartner({ session, isSandbox }: Viewer): string | null {
  return isSandbox && isPermitted(session.roles, 'developer.read') ? session.partnerId : null
}

/** Ticked off while the page is open. */
export async function firstStepsSection(context: Context, viewer: Viewer, partnerId: string): Promise<string> {
  const list = await firstStepsList(context, viewer, partnerId)
  return html`<h2 id="first-steps">${consoleText('firstSteps.title')}</h2>
<p>${consoleText('firstSteps.explain')} <a href="/docs">${consoleText('firstSteps.docs')}</a></p>
!${liveRegion(`${FIRST_STEPS_PATH}/${partnerId}/live`, list)}`
}

/** Rendered again whenever a step is done. */
export async function firstStepsList(context: Context, viewer: Viewer, partnerId: string): Promise<string> {
  const state = await findFirstSteps(context, partnerId)
  const { isDemo, ...requests } = await stepContextOf(context, partnerId, state)
  const mayAct = isDemo && isPermitted(viewer.session.roles, 'sandbox')
  const next = FIRST_STEPS.find((step) => !state.done[step])
  const items = FIRST_STEPS.map((step) => {
    const isDone = state.done[step]
    const how = howTo(step, { isNext: step === next, token: mayAct ? viewer.token : undefined }, requests)
    return html`<li class="${isDone ? 'done' : ''}"><strong>${consoleText(isDone ? 'firstSteps.done' : 'firstSteps.open')}</strong> ${consoleText(`firstSteps.steps.${step}`)}
!${how}</li>`
  })
  return html`<ol class="steps">!${items.join('\n')}</ol>`
}

/** The next step is open; the commands of the others are one click away. */
function howTo(
  step: FirstStep,
  { isNext, token }: { readonly isNext: boolean; readonly token: string | undefined },
  requests: RequestValues,
): string {
  if (step === 'delivered') {
    return html`<p><a href="/console/inbox">${consoleText('firstSteps.inbox')}</a></p>`
  }
  const commands = copyableLines(commandsOf(step, requests), consoleText(`firstSteps.steps.${step}`))
  const button =
    token === undefined
      ? ''
      : html`<form class="row" method="post" action="${FIRST_STEPS_PATH}">!${tokenField(token)}<button name="step" value="${step}">${consoleText(`firstSteps.buttons.${step}`)}</button></form>`
  return isNext
    ? html`!${button}!${commands}`
    : html`<details><summary>${consoleText('firstSteps.command')}</summary>!${commands}</details>`
}
