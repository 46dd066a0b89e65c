/** Operator tasks: the list with filters, each task, and its resolution, which is proposed or confirmed as the user. */

import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import type { Context } from '../../gateway/context.ts'
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { TaskResolutionError } from '../../gateway/operators/resolve-task.ts'
import { resolvePaymentTask } from '../../gateway/orders/submit/resolve-payment-task.ts'
import { operatorOf } from '../access/console-session.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { listPage } from '../lists/list-page.ts'
import { SEEN_FIELD } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'
import { describeResolution, parseResolution, versionOf } from './resolution-forms.ts'
import { taskList } from './task-list.ts'
import { requireTaskInPath, TASKS_PATH, taskPage } from './task-page.ts'

export function taskRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('operations.read')
  const list = taskList(context)
  return [
    read(TASKS_PATH, (request) => listPage(context, list, request)),
    read(`${TASKS_PATH}/:taskId`, (request) => taskPage(context, request)),
    post('operations.act')(`${TASKS_PATH}/:taskId/resolve`, (request) => resolveTask(context, request)),
  ]
}

/** Changes nothing when the task is not any more as the user saw it: the page then says what has changed. */
async function resolveTask(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
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
