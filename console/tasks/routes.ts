/** Operator tasks: the list with filters, each task, and its resolution. */
import type { Context } from '../../gateway/context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { listPage } from '../lists/list-page.ts'
import { resolveTask } from './resolve-task.ts'
import { taskList } from './task-list.ts'
import { TASKS_PATH, taskPage } from './task-page.ts'

export function taskRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  const list = taskList(context)
  return [
    { ...read, path: TASKS_PATH, handle: (request) => listPage(context, list, request) },
    { ...read, path: `${TASKS_PATH}/:taskId`, handle: (request) => taskPage(context, request) },
    {
      method: 'POST',
      path: `${TASKS_PATH}/:taskId/resolve`,
      permission: 'operations.act',
      handle: (request) => resolveTask(context, request),
    },
  ]
}
