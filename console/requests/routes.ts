/** The request log of partners' developers: a list with filters, each request, and the latest ones as they come. */
import type { Context } from '../../gateway/context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { exportRequests, REQUESTS_PATH, requestListPage } from './request-list.ts'
import { requestPage } from './request-page.ts'

export function requestRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'developer.read' } as const
  return [
    { ...read, path: REQUESTS_PATH, handle: (request) => requestListPage(context, request) },
    { ...read, path: `${REQUESTS_PATH}.csv`, handle: (request) => exportRequests(context, request) },
    { ...read, path: `${REQUESTS_PATH}/:requestId`, handle: (request) => requestPage(context, request) },
  ]
}
