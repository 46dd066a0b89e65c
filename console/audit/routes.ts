/** Shows operators the audit log, and exports it. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import type { FoundAuditEntry } from '../../gateway/operators/audit-entry.ts'
import { searchAuditLog } from '../../gateway/operators/list-audit-log.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { csvFile } from '../lists/csv-file.ts'
import { type FilterField, filterForm } from '../lists/filter-form.ts'
import { LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { partnerFields } from '../lists/partner-field.ts'
import { auditSentence } from '../markup/audit-sentence.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { detailMarkup } from '../markup/explained-codes.ts'
import { factList } from '../markup/fact-list.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { valueText } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'
import { parseAuditLogFilter } from './audit-log-filter.ts'

const PATH = '/console/audit'
const EXPORT_PATH = '/console/audit.csv'
const EXPORTED_COLUMNS = ['id', 'at', 'partner', 'actor', 'action', 'subjectType', 'subjectId', 'detail']

export function auditRoutes(context: Context): readonly ConsoleRoute[] {
  return [
    { method: 'GET', path: PATH, permission: 'operations.read', handle: (request) => auditLogPage(context, request) },
    {
      method: 'GET',
      path: EXPORT_PATH,
      permission: 'operations.read',
      handle: (request) => exportCsv(context, request),
    },
  ]
}

async function auditLogPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { filter, state } = parseAuditLogFilter(request)
  const fields: readonly FilterField[] = [
    ...(await partnerFields(context, request.viewer)),
    { name: 'subject', label: consoleText('audit.subjectId') },
    { name: 'from', label: consoleText('filters.from'), type: 'date' },
    { name: 'to', label: consoleText('filters.to'), type: 'date' },
  ]
  const { rows, last } = pageOf(await searchAuditLog(context, filter, LIST_ROWS + 1))
  const columns = [{ label: consoleText('audit.at') }, { label: consoleText('audit.sentence') }]
  const body = html`!${filterForm(PATH, state, fields)}
!${dataTable(columns, rows.map(cellsOf), consoleText('audit.empty'))}
!${nextPageLink(PATH, request.query, last?.id)}
<p class="actions"><a href="${EXPORT_PATH}?${request.query}">${consoleText('lists.export')}</a></p>`
  return { kind: 'page', title: consoleText('audit.title'), body }
}

function cellsOf(entry: FoundAuditEntry): readonly string[] {
  return [wallTimeMarkup(entry.at), html`<p>!${auditSentence(entry)}</p>!${detailsOf(entry)}`]
}

/** What the sentence leaves out: who exactly, what exactly, and with which values. */
function detailsOf({ actor, action, subjectType, subjectId, detail }: FoundAuditEntry): string {
  const facts = Object.entries(detail).map(
    ([name, value]) => [name, detailMarkup(name, value, breakableText(valueText(value)))] as const,
  )
  return html`<details><summary>${consoleText('audit.details')}</summary>!${factList([
    [consoleText('audit.actor'), breakableText(actor)],
    [consoleText('audit.action'), html`${action}`],
    [consoleText('audit.subject'), html`${subjectType} !${copyableCode(subjectId, consoleText('audit.subject'))}`],
    ...facts,
  ])}</details>`
}

async function exportCsv(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { filter } = parseAuditLogFilter(request)
  return await csvFile({
    name: 'audit-log',
    columns: EXPORTED_COLUMNS,
    after: filter.beforeId,
    readPage: async (beforeId, limit) => {
      const { rows, last } = pageOf(await searchAuditLog(context, { ...filter, beforeId }, limit + 1), limit)
      return { rows, next: last?.id }
    },
    cellsOf: exportedCells,
  })
}

function exportedCells(entry: FoundAuditEntry): readonly string[] {
  const { id, at, partnerName, actor, action, subjectType, subjectId, detail } = entry
  return [id, at.toString(), partnerName ?? '', actor, action, subjectType, subjectId, JSON.stringify(detail)]
}
