/** Shows the latest requests as they come: the newest page of the list with some of its filters, which lives. */
import { html } from 'ghtml'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { findRequests } from '../../gateway/request-log/find-requests.ts'
import type { RequestFilter } from '../../gateway/request-log/logged-request.ts'
import { ALL_PARTNERS } from '../../gateway/request-log/request-figures.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { visibleColumns } from '../lists/list-page.ts'
import { LIST_ROWS } from '../lists/next-page.ts'
import { PARTNER_PARAMETER, partnerFields } from '../lists/partner-field.ts'
import { LIVE_SCRIPT_PATH, liveRegion } from '../live/live-region.ts'
import type { ShareRendering } from '../live/live-stream.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { dataTable } from '../markup/data-table.ts'
import { consoleText } from '../texts/console-texts.ts'
import { REQUEST_COLUMNS, REQUESTS_PATH, requestFilterOf, TAIL_PATH, tailFields } from './request-list.ts'

export async function requestTailPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, query } = request
  const filters = filterReader(tailQuery(query))
  const filter = requestFilterOf(filters, viewer)
  const { errors } = filters
  const isValid = errors.size === 0
  const latest = isValid
    ? await latestRequests(context, filter, viewer)
    : html`<p class="empty">${consoleText('filters.correct')}</p>`
  const path = `${TAIL_PATH}/${filter.partnerId ?? ALL_PARTNERS}/live?${query}`
  const fields = [...(await partnerFields(context, viewer)), ...tailFields()]
  const body = html`<p>${consoleText('requests.aboutTail')} <a href="${REQUESTS_PATH}?${query}">${consoleText('requests.openList')}</a></p>
!${filterForm(TAIL_PATH, { query: tailQuery(query), errors }, fields)}
!${isValid ? liveRegion(path, latest) : latest}`
  return {
    kind: 'page',
    status: isValid ? 200 : 422,
    title: consoleText('requests.tail'),
    body,
    scripts: [LIVE_SCRIPT_PATH],
  }
}

/** The list again whenever requests have been written. Throws `not-found` for a foreign or unknown partner. */
export async function liveRequestTail(
  context: Context,
  { reader, share }: { readonly reader: VersionReader; readonly share: ShareRendering },
  { viewer, params: { partnerId = '' }, query }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const chosen = partnerId === ALL_PARTNERS ? null : partnerId
  const isKnown = chosen === null || (isId(chosen) && (await findPartnerById(context, chosen)) !== undefined)
  if (!isKnown || partnerFilterOf(viewer, chosen ?? undefined) !== chosen) {
    throw apiError('not-found', 'There is no partner with this id')
  }
  const filter = requestFilterOf(filterReader(tailQuery(query, chosen)), viewer)
  const key = JSON.stringify([filter, viewer.session.partnerId === null])
  const render = () => latestRequests(context, filter, viewer)
  return { kind: 'live', part: { reader, subject: partnerId, render: () => share(key, render) } }
}

/** Without the filters of times and pages: the tail has no end. */
function tailQuery(query: URLSearchParams, partnerId = query.get(PARTNER_PARAMETER)): URLSearchParams {
  const names = tailFields().flatMap(({ name }) => (query.has(name) ? [[name, query.get(name) ?? '']] : []))
  return new URLSearchParams([...names, ...(partnerId === null ? [] : [[PARTNER_PARAMETER, partnerId]])])
}

async function latestRequests(context: Context, filter: RequestFilter, viewer: Viewer): Promise<string> {
  const { requests } = await findRequests(context, filter, LIST_ROWS)
  return dataTable(requests, visibleColumns(REQUEST_COLUMNS, viewer), consoleText('requests.noneInTail'))
}
