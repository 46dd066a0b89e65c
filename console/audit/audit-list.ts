/** Lists the audit log for operators, as pages and as CSV. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { type AuditLogFilter, type FoundAuditEntry, searchAuditLog } from '../../gateway/operators/audit-log.ts'
import { lowestIdAt } from '../../gateway/platform/ids.ts'
import type { CsvCells } from '../lists/csv-file.ts'
import { periodFields } from '../lists/filter-form.ts'
import type { ConsoleList } from '../lists/list-page.ts'
import { AFTER_PARAMETER, pageOf } from '../lists/next-page.ts'
import { chosenPartner } from '../lists/partner-field.ts'
import { auditSentence } from '../markup/audit-history.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { detailMarkup } from '../markup/explained-codes.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { valueText } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'

type Filter = AuditLogFilter & { readonly after: string | undefined }

export function auditList(context: Context): ConsoleList<FoundAuditEntry, Filter, string> {
  return {
    path: '/console/audit',
    title: consoleText('audit.title'),
    fields: [{ name: 'subject', label: consoleText('audit.subjectId') }, ...periodFields()],
    filterOf: (filters, viewer) => {
      const { createdFrom, createdBefore } = filters.period()
      return {
        partnerId: chosenPartner(filters, viewer),
        subjectId: filters.read('subject', (text) => text, ''),
        fromId: createdFrom && lowestIdAt(createdFrom),
        beforeId: createdBefore && lowestIdAt(createdBefore),
        after: filters.id(AFTER_PARAMETER),
      }
    },
    read: async ({ after, ...filter }, limit) => {
      const found = await searchAuditLog(context, { ...filter, beforeId: after ?? filter.beforeId }, limit + 1)
      const { rows, last } = pageOf(found, limit)
      return { rows, next: last?.id }
    },
    columns: {
      'audit.at': ({ at }) => wallTimeMarkup(at),
      'audit.sentence': (entry) => html`<p>!${auditSentence(entry)}</p>!${detailsOf(entry)}`,
    },
    none: consoleText('audit.empty'),
    file: { name: 'audit-log', cells: CSV_CELLS },
  }
}

/** What the sentence leaves out: who exactly, what exactly, and with which values. */
function detailsOf({ actor, action, subjectType, subjectId, detail }: FoundAuditEntry): string {
  const facts = Object.entries(detail).map(
    ([name, value]) => [name, detailMarkup(name, value, breakableText(valueText(value)))] as const,
  )
  return html`<details><summary>${consoleText('audit.details')}</summary>!${factList(
    {
      'audit.actor': breakableText(actor),
      'audit.action': html`${action}`,
      'audit.subject': html`${subjectType} !${copyableCode(subjectId, consoleText('audit.subject'))}`,
    },
    facts,
  )}</details>`
}

const CSV_CELLS: CsvCells<FoundAuditEntry> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toString(),
  partner: ({ partnerName }) => partnerName ?? '',
  actor: ({ actor }) => actor,
  action: ({ action }) => action,
  subjectType: ({ subjectType }) => subjectType,
  subjectId: ({ subjectId }) => subjectId,
  detail: ({ detail }) => JSON.stringify(detail),
}
