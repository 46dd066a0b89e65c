/** Renders the deliveries of a subscription; who may act on it selects some to attempt them now. */
import { html } from 'ghtml'
import type { WebhookDeliverySummary } from '../../contract/webhooks/webhook-deliveries.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { actionColumn, type Columns, clampedText, dataTable, leadColumn } from '../markup/data-table.ts'
import { formatTime, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The fields of the form, and what its buttons choose. */
export const ATTEMPT_FIELDS = { delivery: 'delivery', which: 'which' } as const
type AttemptChoice = 'selected' | 'failed'

type Table = {
  /** That of the subscription. */
  readonly path: string
  /** Of forms; undefined for users who may not act. */
  readonly token: string | undefined
  readonly emptyText: string
}

export function deliveryTable(
  deliveries: readonly WebhookDeliverySummary[],
  { path, token, emptyText }: Table,
): string {
  const columns: Columns<WebhookDeliverySummary> = {
    'attemptNow.select': token === undefined ? undefined : actionColumn(selectionBox),
    'deliveries.created': ({ id, createdAt }) =>
      html`<a href="${path}/deliveries/${id}">!${timeMarkup(Temporal.Instant.from(createdAt))}</a>`,
    'deliveries.eventType': ({ eventType }) => breakableText(eventType),
    'deliveries.status': leadColumn(({ status }) => statusMarkup(status)),
    'deliveries.attempts': ({ attemptsMade }) => html`${attemptsMade}`,
    'deliveries.nextAttempt': ({ nextAttemptAt: at }) => (at === null ? '' : timeMarkup(Temporal.Instant.from(at))),
    'deliveries.lastError': ({ lastError }) => clampedText(lastError ?? ''),
  }
  const table = dataTable(deliveries, columns, emptyText)
  if (token === undefined || deliveries.length === 0) {
    return table
  }
  const button = (which: AttemptChoice) =>
    html`<button class="second" name="${ATTEMPT_FIELDS.which}" value="${which}">${consoleText(`attemptNow.${which}`)}</button>`
  return html`<form method="post" action="${path}/attempt-now">!${tokenField(token)}
!${table}
<p class="actions">!${button('selected')} !${button('failed')}</p></form>`
}

function selectionBox({ id, createdAt }: WebhookDeliverySummary): string {
  const label = consoleText('attemptNow.selectOf', { time: formatTime(Temporal.Instant.from(createdAt)) })
  return html`<label class="choice"><input type="checkbox" name="${ATTEMPT_FIELDS.delivery}" value="${id}" aria-label="${label}"><span class="in-card">${consoleText('attemptNow.select')}</span></label>`
}
