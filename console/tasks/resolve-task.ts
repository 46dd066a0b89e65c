/** Resolves an operator task, or proposes or confirms its resolution, as the user. */
import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import type { Context } from '../../gateway/context.ts'
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { TaskResolutionError } from '../../gateway/operators/resolve-task.ts'
import { resolvePaymentTask } from '../../gateway/orders/submit/resolve-payment-task.ts'
import { operatorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { SEEN_FIELD } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'
import { describeResolution, parseResolution, versionOf } from './resolution-forms.ts'
import { requireTaskInPath, TASKS_PATH, taskPage } from './task-page.ts'

/** Changes nothing when the task is not any more as the user saw it: the page then says what has changed. */
export async function resolveTask(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { form, viewer } = request
  const task = await requireTaskInPath(context, request)
  const rejected = async (status: number, message: string) =>
    await taskPage(context, request, { status, message, entered: form })
  if (form.text(SEEN_FIELD) !== versionOf(task)) {
    return await rejected(409, changeOf(task))
  }
  const resolution = parseResolution(form)
  if (resolution === undefined) {
    return await rejected(422, consoleText('task.incomplete'))
  }
  try {
    await resolvePaymentTask(context, task, operatorOf(viewer.session), resolution)
  } catch (error) {
    if (error instanceof TaskResolutionError) {
      return await rejected(409, error.message)
    }
    if (error instanceof BankError) {
      return await rejected(409, consoleText('task.bankFailed', { error: error.message }))
    }
    throw error
  }
  return { kind: 'redirect', to: `${TASKS_PATH}/${task.id}` }
}

function changeOf(task: OperatorTask): string {
  switch (task.status) {
    case 'resolved':
      return consoleText('task.resolvedMeanwhile', {
        name: task.resolvedBy ?? '',
        resolution: describeResolution(task.resolution),
      })
    case 'proposed':
      return consoleText('task.proposedMeanwhile', {
        name: task.proposedBy ?? '',
        resolution: describeResolution(task.proposedResolution),
      })
    case 'open':
      return consoleText('task.withdrawnMeanwhile')
  }
}
