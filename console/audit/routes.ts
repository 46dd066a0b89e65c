/** Shows operators the audit log, and exports it. */
import type { Context } from '../../gateway/context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { exportList, listPage } from '../lists/list-page.ts'
import { auditList } from './audit-list.ts'

export function auditRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  const list = auditList(context)
  return [
    { ...read, path: list.path, handle: (request) => listPage(context, list, request) },
    { ...read, path: `${list.path}.csv`, handle: (request) => exportList(list, request) },
  ]
}
