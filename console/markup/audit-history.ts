/** Renders what the audit log has of one subject, as a timeline with its heading. */
import { html } from 'ghtml'
import type { AuditLogEntry } from '../../gateway/operators/list-audit-log.ts'
import { consoleText } from '../texts/console-texts.ts'
import { auditSentenceOfPage } from './audit-sentence.ts'
import { detailsMarkup } from './explained-codes.ts'
import { timeMarkup } from './format-time.ts'

/** Nothing without entries. */
export function auditHistory(entries: readonly AuditLogEntry[]): string {
  const items = entries.map(
    ({ at, actor, action, detail }) =>
      html`<li>!${timeMarkup(at)}<div><p>!${auditSentenceOfPage({ actor, action })}</p><p class="quiet">!${detailsMarkup(detail)}</p></div></li>`,
  )
  return items.length === 0
    ? ''
    : html`<h2>${consoleText('audit.history')}</h2><ol class="timeline">!${items.join('\n')}</ol>`
}
