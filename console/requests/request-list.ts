/** Lists logged requests with filters, as pages and as CSV. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { findRequestById, findRequests } from '../../gateway/request-log/find-requests.ts'
import {
  type ListedRequest,
  type RequestFilter,
  STATUS_CLASSES,
  timeOfRequest,
} from '../../gateway/request-log/logged-request.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { csvFile } from '../lists/csv-file.ts'
import { type FilterField, type FilterState, filterForm, hasFilter } from '../lists/filter-form.ts'
import { LIST_ROWS, nextPageLink } from '../lists/next-page.ts'
import { partnerFields } from '../lists/partner-field.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { shortId } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { apiCodeMarkup } from '../markup/explained-codes.ts'
import { formatMilliseconds, formatTime, wallTimeMarkup } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import { type ConsoleTextKey, consoleText } from '../texts/console-texts.ts'
import { METHODS, parseRequestFilter } from './request-filter.ts'

export const REQUESTS_PATH = '/console/requests'
export const TAIL_PATH = `${REQUESTS_PATH}/tail`

const FILTERS = ['id', 'method', 'status', 'path', 'code', 'from', 'to'] as const
/** The latest requests have no end in time. */
export const TAIL_FILTERS = ['method', 'status', 'path', 'code'] as const
const EXPORTED_COLUMNS = [
  ...['time', 'svcRequestId', 'method', 'path', 'status', 'milliseconds', 'codes', 'subject', 'subjectId'],
  ...['idempotencyKey', 'client', 'partner'],
]
type FilterName = (typeof FILTERS)[number]

type Found = { readonly requests: readonly ListedRequest[]; readonly next: string | undefined }
const NOTHING: Found = { requests: [], next: undefined }

export async function requestListPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, query } = request
  const { filter, id, state } = parseRequestFilter(request)
  const isValid = state.errors.size === 0
  const { requests, next } = isValid ? await find(context, filter, id) : NOTHING
  const body = html`<p>${consoleText('requests.about')} <a href="${TAIL_PATH}">${consoleText('requests.openTail')}</a></p>
!${await requestFilterForm(context, viewer, { path: REQUESTS_PATH, state, names: FILTERS })}
!${requestTable(requests, { isOperator: viewer.session.partnerId === null, emptyText: emptyTextOf(query, isValid, next) })}
!${requests.length < LIST_ROWS && next !== undefined ? searchedUntil(next) : ''}
!${nextPageLink(REQUESTS_PATH, query, next)}
!${requests.length === 0 ? '' : html`<p class="actions"><a href="${REQUESTS_PATH}.csv?${query}">${consoleText('lists.export')}</a></p>`}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('requests.title'), body }
}

async function find(
  context: Context,
  filter: RequestFilter,
  id: string | undefined,
  limit = LIST_ROWS,
): Promise<Found> {
  if (id === undefined) {
    return await findRequests(context, filter, limit)
  }
  const found = await findRequestById(context, filter, id)
  return { requests: found === undefined ? [] : [found], next: undefined }
}

/** A search for what is rare goes on with the link below. */
function searchedUntil(next: string): string {
  const time = formatTime(timeOfRequest({ id: next }))
  return html`<p class="quiet">${consoleText('requests.searchedUntil', { time })}</p>`
}

function emptyTextOf(query: URLSearchParams, isValid: boolean, next: string | undefined): string {
  if (!isValid) {
    return consoleText('filters.correct')
  }
  if (next !== undefined) {
    return consoleText('requests.noneYet')
  }
  return consoleText(hasFilter(query) ? 'requests.noMatch' : 'requests.none')
}

/** The form with some of the filters; operators choose a partner, too. */
export async function requestFilterForm(
  context: Context,
  viewer: Viewer,
  form: { readonly path: string; readonly state: FilterState; readonly names: readonly FilterName[] },
): Promise<string> {
  const any = { value: '', label: consoleText('filters.any') }
  const choices = (values: readonly string[]) => [any, ...values.map((value) => ({ value, label: value }))]
  const statuses = STATUS_CLASSES.map((value) => ({ value, label: consoleText(`requests.statusClasses.${value}`) }))
  const fields: Readonly<Record<FilterName, Omit<FilterField, 'name'>>> = {
    id: { label: consoleText('requests.id') },
    method: { label: consoleText('requests.method'), choices: choices(METHODS) },
    status: { label: consoleText('requests.status'), choices: [any, ...statuses] },
    path: { label: consoleText('requests.pathBegins') },
    code: { label: consoleText('requests.code') },
    from: { label: consoleText('filters.from'), type: 'datetime-local' },
    to: { label: consoleText('requests.before'), type: 'datetime-local' },
  }
  const partners = await partnerFields(context, viewer)
  return filterForm(form.path, form.state, [...partners, ...form.names.map((name) => ({ name, ...fields[name] }))])
}

/** Also of the live tail. */
export function requestTable(
  requests: readonly ListedRequest[],
  { isOperator, emptyText }: { readonly isOperator: boolean; readonly emptyText: string },
): string {
  const label = (key: ConsoleTextKey) => ({ label: consoleText(key) })
  const columns = [
    label('requests.time'),
    label('requests.request'),
    { ...label('requests.status'), isLead: true as const },
    label('requests.rejected'),
    { ...label('requests.duration'), kind: 'number' as const },
    ...(isOperator ? [label('filters.partner')] : []),
  ]
  return dataTable(
    columns,
    requests.map((request) => [
      wallTimeMarkup(timeOfRequest(request)),
      requestLink(request),
      httpStatusMarkup(request.status),
      codesMarkup(request.errorCodes),
      html`${formatMilliseconds(request.milliseconds)}`,
      ...(isOperator ? [html`${request.partnerName}`] : []),
    ]),
    emptyText,
  )
}

/** The first code is explained here, the others on the page of the request. */
function codesMarkup([first = '', ...others]: readonly string[]): string {
  const more = html` <span class="quiet" title="${others.join(', ')}">${consoleText('requests.moreCodes', { count: others.length })}</span>`
  return `${apiCodeMarkup(first)}${others.length === 0 ? '' : more}`
}

/** Ids in the path are shortened; the page of the request has the whole path. */
function requestLink({ id, method, path }: ListedRequest): string {
  const text = path.split('/').map(shortId).join('/')
  return html`<a href="${REQUESTS_PATH}/${id}" title="${method} ${path}"><code>${method} !${breakableText(text)}</code></a>`
}

export async function exportRequests(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { filter, id, state } = parseRequestFilter(request)
  if (state.errors.size > 0) {
    return { kind: 'redirect', to: `${REQUESTS_PATH}?${request.query}` }
  }
  return await csvFile({
    name: 'requests',
    columns: EXPORTED_COLUMNS,
    after: filter.beforeId,
    readPage: async (beforeId, limit) => {
      const { requests: rows, next } = await find(context, { ...filter, beforeId }, id, limit)
      return { rows, next }
    },
    cellsOf: exportedCells,
  })
}

function exportedCells(request: ListedRequest): readonly string[] {
  return [
    timeOfRequest(request).toString({ smallestUnit: 'millisecond' }),
    request.id,
    request.method,
    request.path,
    String(request.status),
    String(request.milliseconds),
    request.errorCodes.join(' '),
    request.subject?.type ?? '',
    request.subject?.id ?? '',
    request.idempotencyKey ?? '',
    request.clientId,
    request.partnerName,
  ]
}
