/** Lists logged requests with filters, as pages and as CSV, and the latest ones. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { lowestIdAt } from '../../gateway/platform/ids.ts'
import { findRequestById, findRequests, type RequestScope } from '../../gateway/request-log/find-requests.ts'
import {
  type ListedRequest,
  type RequestFilter,
  STATUS_CLASSES,
  timeOfRequest,
} from '../../gateway/request-log/logged-request.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import type { CsvCells } from '../lists/csv-file.ts'
import { anyOf, type FilterField } from '../lists/filter-form.ts'
import type { FilterReader } from '../lists/filter-reader.ts'
import type { ConsoleList } from '../lists/list-page.ts'
import { AFTER_PARAMETER } from '../lists/next-page.ts'
import { PARTNER_PARAMETER } from '../lists/partner-field.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { shortId } from '../markup/copy/copy-button.ts'
import { type Columns, leadColumn, numberColumn } from '../markup/data-table.ts'
import { apiCodeMarkup } from '../markup/explained-codes.ts'
import { formatMilliseconds, formatTime, instantForReaders, wallTimeMarkup } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

export const REQUESTS_PATH = '/console/requests'
export const TAIL_PATH = `${REQUESTS_PATH}/tail`

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const
const PATH = /^\/\S*$/
const ERROR_CODE = /^\w{1,100}$/

type ListFilter = RequestFilter & {
  /** The `svc-request-id` that is searched for. */
  readonly id: string | undefined
  readonly after: string | undefined
}

/** Whose requests a user sees: salaries are in those of payrolls. */
export function requestScopeOf(viewer: Viewer, chosenPartner?: string): RequestScope {
  return {
    partnerId: partnerFilterOf(viewer, chosenPartner),
    payrolls: isPermitted(viewer.session.roles, 'payroll.read'),
  }
}

export function requestList(context: Context): ConsoleList<ListedRequest, ListFilter, string> {
  return {
    path: REQUESTS_PATH,
    title: consoleText('requests.title'),
    about: html`<p>${consoleText('requests.about')} <a href="${TAIL_PATH}">${consoleText('requests.openTail')}</a></p>`,
    fields: [
      { name: 'id', label: consoleText('requests.id') },
      ...tailFields(),
      { name: 'from', label: consoleText('filters.from'), type: 'datetime-local' },
      { name: 'to', label: consoleText('requests.before'), type: 'datetime-local' },
    ],
    filterOf: requestFilterOf,
    read: async ({ id, after, ...filter }, limit) => {
      if (id !== undefined) {
        const found = await findRequestById(context, filter, id)
        return { rows: found === undefined ? [] : [found], next: undefined }
      }
      const beforeId = after ?? filter.beforeId
      const { requests: rows, next } = await findRequests(context, { ...filter, beforeId }, limit)
      return next === undefined
        ? { rows, next }
        : { rows, next, none: consoleText('requests.noneYet'), note: rows.length < limit ? searchedUntil(next) : '' }
    },
    columns: REQUEST_COLUMNS,
    none: consoleText('requests.none'),
    noMatch: consoleText('requests.noMatch'),
    file: { name: 'requests', cells: CSV_CELLS },
  }
}

export function requestFilterOf(filters: FilterReader, viewer: Viewer): ListFilter {
  const moment = (name: string) => filters.read(name, parseMoment, consoleText('requests.noMoment'))
  const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)
  const [from, to] = [moment('from'), moment('to')]
  if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) >= 0) {
    filters.reject('to', consoleText('requests.endsBeforeStart'))
  }
  return {
    ...requestScopeOf(viewer, filters.id(PARTNER_PARAMETER)),
    id: filters.id('id'),
    method: filters.choice('method', METHODS, consoleText('filters.noChoice')),
    statusClass: filters.choice('status', STATUS_CLASSES, consoleText('filters.noStatus')),
    path: filters.read('path', matching(PATH), consoleText('requests.noPath')),
    errorCode: filters.read('code', matching(ERROR_CODE), consoleText('requests.noCode')),
    fromId: from && lowestIdAt(from),
    beforeId: to && lowestIdAt(to),
    after: filters.id(AFTER_PARAMETER),
  }
}

/** The filters of the latest requests, which have no end in time. */
export function tailFields(): readonly FilterField[] {
  const statuses = STATUS_CLASSES.map((value) => ({ value, label: consoleText(`requests.statusClasses.${value}`) }))
  return [
    { name: 'method', label: consoleText('requests.method'), choices: anyOf(METHODS) },
    { name: 'status', label: consoleText('requests.status'), choices: [...anyOf([]), ...statuses] },
    { name: 'path', label: consoleText('requests.pathBegins') },
    { name: 'code', label: consoleText('requests.code') },
  ]
}

/** A search for what is rare goes on with the link below. */
function searchedUntil(next: string): string {
  const time = formatTime(timeOfRequest({ id: next }))
  return html`<p class="quiet">${consoleText('requests.searchedUntil', { time })}</p>`
}

/** Also of the live tail. */
export const REQUEST_COLUMNS: Columns<ListedRequest> = {
  'requests.time': (request) => wallTimeMarkup(timeOfRequest(request)),
  'requests.request': requestLink,
  'requests.status': leadColumn(({ status }) => httpStatusMarkup(status)),
  'requests.rejected': ({ errorCodes }) => codesMarkup(errorCodes),
  'requests.duration': numberColumn(({ milliseconds }) => html`${formatMilliseconds(milliseconds)}`),
  'filters.partner': { isOf: 'operators', cell: ({ partnerName }) => html`${partnerName}` },
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

const CSV_CELLS: CsvCells<ListedRequest> = {
  time: (request) => timeOfRequest(request).toString({ smallestUnit: 'millisecond' }),
  svcRequestId: ({ id }) => id,
  method: ({ method }) => method,
  path: ({ path }) => path,
  status: ({ status }) => String(status),
  milliseconds: ({ milliseconds }) => String(milliseconds),
  codes: ({ errorCodes }) => errorCodes.join(' '),
  subject: ({ subject }) => subject?.type ?? '',
  subjectId: ({ subject }) => subject?.id ?? '',
  idempotencyKey: ({ idempotencyKey }) => idempotencyKey ?? '',
  client: ({ clientId }) => clientId,
  partner: ({ partnerName }) => partnerName,
}

/** As a browser sends a time: `2026-11-25T14:05`. */
function parseMoment(text: string): Temporal.Instant | undefined {
  try {
    return /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)
      ? instantForReaders(Temporal.PlainDateTime.from(text, { overflow: 'reject' }))
      : undefined
  } catch {
    return undefined
  }
}
