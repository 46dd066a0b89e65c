/** Operator tasks: the list with filters, each task, and its resolution. */
import type { Context } from '../../gateway/context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { listPage } from '../lists/list-page.ts'
import { resolveTask } from './resolve-task.ts'
import { taskList } from './task-list.ts'
import { TASKS_PATH, taskPage } from './task-page.ts'

export function taskRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('operations.read')
  const list = taskList(context)
  return [
    read(TASKS_PATH, (request) => listPage(context, list, request)),
    read(`${TASKS_PATH}/:taskId`, (request) => taskPage(context, request)),
    post('operations.act')(`${TASKS_PATH}/:taskId/resolve`, (request) => resolveTask(context, request)),
  ]
}
