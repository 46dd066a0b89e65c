/** Renders and checks the forms of operators' decisions on FX deals and inbound funds. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { DealNotFound } from '../../gateway/fx/deals/get-deal.ts'
import { OperatorActionRejected, type OperatorDecision } from '../../gateway/fx/operator-actions.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { actorOf } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { actionForm, executeAction } from '../markup/action-form.ts'
import type { ActionOutcome } from '../markup/notice.ts'
import { changeSinceSeen } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'

type DecisionForm = {
  readonly path: string
  readonly label: string
  /** The state that the page shows. */
  readonly state: string
  readonly viewer: Viewer
}

/** The note is required: it is the record of what was found and done. */
export function decisionForm({ path, label, state, viewer }: DecisionForm): string {
  const fields = [{ name: 'note', label: consoleText('decisions.note'), type: 'textarea' }] as const
  return html`<h2>${label}</h2>
!${actionForm({ path, button: label, fields, token: viewer.token, seen: state })}`
}

export type Decide = (context: Context, decision: OperatorDecision, id: string) => Promise<unknown>

/** Carries out a decision, unless the state has changed since the user saw it; returns why it was rejected. */
export async function decide(
  context: Context,
  { viewer, form }: ConsoleRequest,
  { id, state, perform }: { readonly id: string; readonly state: string; readonly perform: Decide },
): Promise<ActionOutcome | undefined> {
  const note = form.text('note')
  const execute = async () => {
    if (note === '') {
      throw apiError('bad-request', consoleText('decisions.noNote'))
    }
    await perform(context, { actor: actorOf(viewer.session), note }, id)
    // The worker does the rest at the provider.
    await notifyDue(context.database)
  }
  return changeSinceSeen(form, state) ?? (await executeAction(execute, OperatorActionRejected))
}

/** Finds what an id in a path identifies. Throws `not-found` for an unknown one. */
export async function findOrNotFound<Found>(id: string, find: (id: string) => Promise<Found>): Promise<Found> {
  try {
    if (isId(id)) {
      return await find(id)
    }
  } catch (error) {
    if (!(error instanceof DealNotFound)) {
      throw error
    }
  }
  throw apiError('not-found', 'There is no deal and no receipt with this id')
}
