/** Shows what a developer does first in the sandbox, and which steps are done. */
import { html } from 'ghtml'
import type { Context } from '../../../gateway/context.ts'
import { consoleText } from '../../texts/console-texts.ts'
import { type FirstSteps, findFirstSteps } from './first-steps-store.ts'

const STEPS: readonly (keyof FirstSteps)[] = ['consent', 'accepted', 'payment', 'signed', 'subscription', 'delivered']

export async function firstStepsSection({ database }: Context, partnerId: string): Promise<string> {
  const done = await findFirstSteps(database, partnerId)
  const items = STEPS.map(
    (step) =>
      html`<li class="${done[step] ? 'done' : ''}"><strong>${done[step] ? consoleText('firstSteps.done') : consoleText('firstSteps.open')}</strong> ${consoleText(`firstSteps.steps.${step}`)}</li>`,
  )
  return html`<h2>${consoleText('firstSteps.title')}</h2>
<p>${consoleText('firstSteps.explain')} <a href="/docs">${consoleText('firstSteps.docs')}</a></p>
<ol class="steps">!${items.join('\n')}</ol>`
}
