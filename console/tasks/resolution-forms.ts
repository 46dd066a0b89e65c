/** Renders the forms that resolve a task: what they do, and the state of the task that they were shown for. */
import { html } from 'ghtml'
import { needsTwoOperators, type OperatorTask } from '../../gateway/operators/operator-task.ts'
import type { Resolution } from '../../gateway/operators/resolve-task.ts'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import type { Viewer } from '../access/viewer.ts'
import { seenField } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The resolution that was entered; undefined when something is missing. */
export function parseResolution(form: Form): Resolution | undefined {
  const [type, bankPaymentId, note] = ['resolution', 'bankPaymentId', 'note'].map(form.text)
  switch (type) {
    case 'taken':
      return bankPaymentId ? { type, bankPaymentId } : undefined
    case 'never-taken':
    case 'none-taken':
      return { type }
    case 'noted':
      return note ? { type, note } : undefined
    default:
      return undefined
  }
}

/** The forms for the state of the task: one that resolves or proposes, or one that confirms and one that contradicts. */
export function resolutionForms(
  task: OperatorTask,
  viewer: Viewer,
  { entered, together }: { readonly entered: Form | undefined; readonly together: number },
): string {
  if (task.status === 'resolved') {
    return ''
  }
  const title = html`<h2>${consoleText('task.resolve')}</h2>`
  if (!needsTwoOperators(task.kind)) {
    return title + formOf(task, viewer, noteField(entered?.text('note') ?? ''), consoleText('task.resolveNow'))
  }
  if (task.status === 'open') {
    const explained = html`<p>${consoleText('task.twoOperators')}</p>`
    return title + explained + formOf(task, viewer, outcomeFields(entered, together), consoleText('task.propose'))
  }
  if (task.proposedBySubject === viewer.session.subject) {
    return title + html`<p>${consoleText('task.ownProposal')}</p>`
  }
  return html`!${title}
!${formOf(task, viewer, confirmedFields(task.proposedResolution), consoleText('task.confirm'))}
<h2>${consoleText('task.contradict')}</h2>
<p>${consoleText('task.contradicting', { name: task.proposedBy ?? '' })}</p>
!${formOf(task, viewer, outcomeFields(entered, together), consoleText('task.contradictNow'))}`
}

function formOf(task: OperatorTask, { token }: Viewer, fields: string, label: string): string {
  return html`<form class="form" method="post" action="/console/tasks/${task.id}/resolve">
!${tokenField(token)}!${seenField(versionOf(task))}
!${fields}
<p class="actions"><button>${label}</button></p>
</form>`
}

function noteField(note: string): string {
  return html`<input type="hidden" name="resolution" value="noted">
<div class="field"><label for="note">${consoleText('task.note')}</label>
<textarea id="note" name="note" rows="4" required autocomplete="off">${note}</textarea></div>`
}

/** `together`: the number of orders that can be settled at once. */
function outcomeFields(entered: Form | undefined, together: number): string {
  const choice = (value: string, label: string) =>
    html`<label class="choice"><input type="radio" name="resolution" value="${value}" required ${entered?.text('resolution') === value ? 'checked' : ''}> ${label}</label>`
  return html`<fieldset><legend>${consoleText('task.found')}</legend>
!${choice('taken', consoleText('task.isTaken'))}
<div class="field"><label for="bank-payment-id">${consoleText('task.bankPaymentId')}</label>
<input id="bank-payment-id" name="bankPaymentId" value="${entered?.text('bankPaymentId') ?? ''}" autocomplete="off"></div>
!${choice('never-taken', consoleText('task.neverTaken'))}
!${together > 1 ? choice('none-taken', consoleText('task.noneOfTaken', { count: String(together) })) : ''}</fieldset>`
}

function confirmedFields(resolution: unknown): string {
  const { type = '', bankPaymentId = '' } = Object(resolution)
  return html`<input type="hidden" name="resolution" value="${type}"><input type="hidden" name="bankPaymentId" value="${bankPaymentId}">
<p><strong>${describeResolution(resolution)}</strong></p>`
}

export function versionOf({ status, proposedBySubject, proposedResolution }: OperatorTask): string {
  return hashToken(JSON.stringify([status, proposedBySubject, proposedResolution]))
}

/** Operators resolve tasks in three ways; Havn resolves them with a reason. */
export function describeResolution(resolution: unknown): string {
  const { type, bankPaymentId, note, reason } = Object(resolution)
  switch (type) {
    case 'taken':
      return consoleText('task.taken', { bankPaymentId: String(bankPaymentId) })
    case 'never-taken':
      return consoleText('task.neverTaken')
    case 'none-taken':
      return consoleText('task.noneTaken')
    case 'noted':
      return String(note)
    default:
      return String(reason ?? JSON.stringify(resolution))
  }
}
