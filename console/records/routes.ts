/** Lists of consents, approvals, cancellations, payrolls, onboardings and exchanges, with filters, pages and CSV. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import type { ListPosition } from '../../gateway/platform/database/partner-rows.ts'
import { listRecords, type RecordFilter } from '../../gateway/platform/database/record-list.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { csvFile } from '../lists/csv-file.ts'
import { type FilterField, type FilterState, filterForm, hasFilter } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { formatPosition, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { PARTNER_PARAMETER, partnerFields } from '../lists/partner-field.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { clampedText, dataTable } from '../markup/data-table.ts'
import { reasonMarkup } from '../markup/explained-codes.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { approvalPage } from './approval-page.ts'
import { CANCELLATIONS_PATH, cancellationPage } from './cancellation-page.ts'
import { CONSENTS_PATH, consentPage, revokeConsentInPath } from './consent-page.ts'
import { EXCHANGES_PATH, exchangePage } from './exchange-page.ts'
import { RECORD_LISTS, type RecordColumn, type RecordList, type RecordRow } from './record-lists.ts'

export function recordRoutes(context: Context): readonly ConsoleRoute[] {
  const lists = RECORD_LISTS.flatMap((list): readonly ConsoleRoute[] => {
    const [path, permission] = [`/console/${list.name}`, list.permission]
    return [
      { method: 'GET', path, permission, handle: (request) => listPage(context, list, request) },
      { method: 'GET', path: `${path}.csv`, permission, handle: (request) => exportCsv(context, list, request) },
    ]
  })
  const read = { method: 'GET', permission: 'payments.read' } as const
  return [
    ...lists,
    { ...read, path: `${CONSENTS_PATH}/:consentId`, handle: (request) => consentPage(context, request) },
    {
      method: 'POST',
      path: `${CONSENTS_PATH}/:consentId/revoke`,
      permission: 'payments.act',
      handle: (request) => revokeConsentInPath(context, request),
    },
    { ...read, path: '/console/approvals/:approvalId', handle: (request) => approvalPage(context, request) },
    {
      ...read,
      path: `${CANCELLATIONS_PATH}/:cancellationId`,
      handle: (request) => cancellationPage(context, request),
    },
    { ...read, path: `${EXCHANGES_PATH}/:dealId`, handle: (request) => exchangePage(context, request) },
  ]
}

async function listPage(context: Context, list: RecordList, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { filter, state } = parseFilter(list, request)
  const path = `/console/${list.name}`
  const isValid = state.errors.size === 0
  const found = isValid
    ? await listRecords<RecordRow>(context.database, list.source, { ...filter, limit: LIST_ROWS + 1 })
    : []
  const { rows, last } = pageOf(found)
  const columns = list.columns.filter((name) => name !== 'partner' || request.viewer.session.partnerId === null)
  const emptyText = isValid ? emptyTextOf(list, request.query) : consoleText('filters.correct')
  const fields = [...(await partnerFields(context, request.viewer)), ...fieldsOf(list)]
  const body = html`!${list.name === 'consents' ? html`<p><a href="${CONSENTS_PATH}/expiring">${consoleText('records.expiring')}</a></p>` : ''}
!${filterForm(path, state, fields)}
!${dataTable(
    columns.map((name) => ({
      label: consoleText(`records.columns.${name}`),
      ...(name === 'status' ? { isLead: true } : {}),
    })),
    rows.map((row) => columns.map((name) => cellOf(list, name, row))),
    emptyText,
  )}
!${nextPageLink(path, request.query, last && formatPosition(positionOf(last)))}
!${rows.length === 0 ? '' : html`<p class="actions"><a href="${path}.csv?${request.query}">${consoleText('lists.export')}</a></p>`}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText(`records.titles.${list.name}`), body }
}

const positionOf = ({ created, id }: RecordRow): ListPosition => ({ createdAt: created, id })

function emptyTextOf({ name }: RecordList, query: URLSearchParams): string {
  return consoleText(hasFilter(query) ? 'records.noMatch' : `records.none.${name}`)
}

function fieldsOf(list: RecordList): readonly FilterField[] {
  const choices = ['', ...list.statuses].map((value) => ({
    value,
    label: value === '' ? consoleText('filters.any') : value,
  }))
  return [
    { name: 'id', label: consoleText('records.columns.id') },
    { name: 'status', label: consoleText('records.columns.status'), choices },
    ...(hasCompany(list) ? [{ name: 'company', label: consoleText('records.columns.company') }] : []),
    { name: 'from', label: consoleText('filters.from'), type: 'date' },
    { name: 'to', label: consoleText('filters.to'), type: 'date' },
  ]
}

async function exportCsv({ database }: Context, list: RecordList, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { filter, state } = parseFilter(list, request)
  if (state.errors.size > 0) {
    return { kind: 'redirect', to: `/console/${list.name}?${request.query}` }
  }
  const { columns } = list
  return await csvFile({
    name: list.name,
    columns,
    after: filter.after,
    readPage: async (after, limit) => {
      const found = await listRecords<RecordRow>(database, list.source, { ...filter, after, limit: limit + 1 })
      const { rows, last } = pageOf(found, limit)
      return { rows, next: last && positionOf(last) }
    },
    cellsOf: (row: RecordRow) => columns.map((name) => textOf(row[name])),
  })
}

function parseFilter(
  list: RecordList,
  { viewer, query }: ConsoleRequest,
): { readonly filter: Omit<RecordFilter, 'limit'>; readonly state: FilterState } {
  const filters = filterReader(query)
  const filter = {
    partnerId: partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER)),
    id: filters.id('id'),
    status: filters.choice('status', list.statuses, consoleText('filters.noStatus')),
    organisationNumber: hasCompany(list) ? filters.organisationNumber('company') : undefined,
    ...filters.period(),
    after: filters.position(),
  }
  return { filter, state: { query, errors: filters.errors } }
}

function hasCompany({ columns }: RecordList): boolean {
  return columns.includes('company')
}

function cellOf(list: RecordList, name: RecordColumn, row: RecordRow): string {
  const value = row[name]
  if (value instanceof Temporal.Instant) {
    return timeMarkup(value)
  }
  const text = textOf(value)
  if (text === '') {
    return ''
  }
  switch (name) {
    case 'id':
      return idMarkup(text, `/console/${list.name}/${text}`)
    case 'payment':
      return idMarkup(text, `/console/payments/${text}`)
    case 'status':
      return statusMarkup(text)
    case 'reason':
      return reasonMarkup(text, clampedText(text))
    case 'dueDate':
      return html`${formatDay(Temporal.PlainDate.from(text))}`
    default:
      return html`${text}`
  }
}

function textOf(value: RecordRow[RecordColumn]): string {
  return value instanceof Temporal.Instant ? value.toString({ smallestUnit: 'millisecond' }) : String(value ?? '')
}
