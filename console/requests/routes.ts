/** The request log of partners' developers: a list with filters, each request, and the latest ones as they come. */
import type { Context } from '../../gateway/context.ts'
import { readRequestLogVersions } from '../../gateway/request-log/request-figures.ts'
import { type ConsoleRoute, get } from '../console-route.ts'
import { listRoutes } from '../lists/list-page.ts'
import { shareRendering } from '../live/live-stream.ts'
import { limitVersions } from '../live/live-versions.ts'
import { REQUESTS_PATH, requestList, TAIL_PATH } from './request-list.ts'
import { requestPage } from './request-page.ts'
import { liveRequestTail, requestTailPage } from './request-tail.ts'

/** While requests come all the time, each open page asks for its user's session as often as this. */
const CHANGES_NOTICED_EVERY_MILLISECONDS = 10_000

export function requestRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('developer.read')
  const live = get('developer.read', { isLive: true })
  const reader = limitVersions(
    (subjects) => readRequestLogVersions(context.database, subjects),
    CHANGES_NOTICED_EVERY_MILLISECONDS,
  )
  const shared = { reader, share: shareRendering() }
  return [
    ...listRoutes(context, 'developer.read', requestList(context)),
    read(TAIL_PATH, (request) => requestTailPage(context, request)),
    live(`${TAIL_PATH}/:partnerId/live`, (request) => liveRequestTail(context, shared, request)),
    read(`${REQUESTS_PATH}/:requestId`, (request) => requestPage(context, request)),
  ]
}
