/** The calls to the bank for a payment in its story. */
import { html } from 'ghtml'
import { listBankCallsFor } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { LoggedBankCall } from '../../gateway/banks/calls/logged-bank-call.ts'
import type { Context } from '../../gateway/context.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { formatMilliseconds } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'

export async function bankCallEntries(
  { database }: Pick<Context, 'database'>,
  payment: PartnerPayment,
): Promise<readonly TimelineEntry[]> {
  return (await listBankCallsFor(database, payment)).map(entryOf)
}

function entryOf(call: LoggedBankCall): TimelineEntry {
  const { at, operation, method, path, status, error, requestId, bankText } = call
  const duration = formatMilliseconds(call.milliseconds)
  const outcome = status === null ? html`<strong>${error ?? ''}</strong>` : httpStatusMarkup(status)
  return {
    at,
    title: html`${consoleText('timeline.bankCall', { operation, duration })} !${outcome}`,
    details: [
      html`<code>${method} ${path}</code>`,
      ...(bankText === null ? [] : [html`${consoleText('timeline.bankAnswer', { text: bankText })}`]),
      ...(requestId === null ? [] : [html`X-Request-ID <code>${requestId}</code>`]),
    ],
  }
}
