/** The request log of partners' developers: a list with filters, each request, and the latest ones as they come. */
import type { Context } from '../../gateway/context.ts'
import { readRequestLogVersions } from '../../gateway/request-log/request-figures.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { exportList, listPage } from '../lists/list-page.ts'
import { shareRendering } from '../live/live-stream.ts'
import { limitVersions } from '../live/live-versions.ts'
import { REQUESTS_PATH, requestList, TAIL_PATH } from './request-list.ts'
import { requestPage } from './request-page.ts'
import { liveRequestTail, requestTailPage } from './request-tail.ts'

/** While requests come all the time, each open page asks for its user's session as often as this. */
const CHANGES_NOTICED_EVERY_MILLISECONDS = 10_000

export function requestRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'developer.read' } as const
  const reader = limitVersions(
    (subjects) => readRequestLogVersions(context.database, subjects),
    CHANGES_NOTICED_EVERY_MILLISECONDS,
  )
  const list = requestList(context)
  const live = { reader, share: shareRendering() }
  return [
    { ...read, path: REQUESTS_PATH, handle: (request) => listPage(context, list, request) },
    { ...read, path: `${REQUESTS_PATH}.csv`, handle: (request) => exportList(list, request) },
    { ...read, path: TAIL_PATH, handle: (request) => requestTailPage(context, request) },
    {
      ...read,
      path: `${TAIL_PATH}/:partnerId/live`,
      isLive: true,
      handle: (request) => liveRequestTail(context, live, request),
    },
    { ...read, path: `${REQUESTS_PATH}/:requestId`, handle: (request) => requestPage(context, request) },
  ]
}
