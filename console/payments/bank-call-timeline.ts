/** The calls to the bank for a payment in its story; polls that found no change are folded. */
import { html } from 'ghtml'
import { type LoggedBankCall, listBankCalls } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { Context } from '../../gateway/context.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { AFTER_PARAMETER, pageOf } from '../lists/next-page.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatMilliseconds, timeMarkup } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Most are polls, which are folded. */
const CALLS_SHOWN_MAX = 500

/** The fragment of a call on the page of its payment. */
export const bankCallAnchor = (requestId: string) => `call-${requestId}`

export async function bankCallEntries(
  { database }: Context,
  payment: PartnerPayment,
): Promise<readonly TimelineEntry[]> {
  const found = await listBankCalls(database, payment, { limit: CALLS_SHOWN_MAX + 1 })
  const { rows, last: oldest } = pageOf(found, CALLS_SHOWN_MAX)
  const entries = withoutRepeatedPolls(rows.toReversed()).flatMap((calls) => {
    const [first, ...others] = calls.map(entryOf)
    return first === undefined || others.length === 0 ? (first ?? []) : foldedEntry(first, others)
  })
  return oldest === undefined ? entries : [earlierEntry(payment, oldest), ...entries]
}

/** What happened before is on pages of its own. */
function earlierEntry({ id }: PartnerPayment, { id: oldestId, at }: LoggedBankCall): TimelineEntry {
  const path = `/console/payments/${id}/calls`
  const all = html`<a href="${path}">${consoleText('timeline.allCalls')}</a>`
  return {
    at,
    title: html`<a href="${path}?${AFTER_PARAMETER}=${oldestId}">${consoleText('timeline.earlierCalls')}</a>`,
    details: [all],
  }
}

/** Successive calls without a change are one element of the list, every other call is alone in one. */
function withoutRepeatedPolls(calls: readonly LoggedBankCall[]): readonly (readonly LoggedBankCall[])[] {
  const lastAnswers = new Map<string, string>()
  const groups: { readonly calls: LoggedBankCall[]; readonly isPoll: boolean }[] = []
  for (const call of calls) {
    const answer = `${call.status} ${call.bankText}`
    const isPoll = call.method === 'GET' && call.status !== null && lastAnswers.get(call.operation) === answer
    lastAnswers.set(call.operation, answer)
    const last = groups.at(-1)
    if (isPoll && last?.isPoll === true) {
      last.calls.push(call)
    } else {
      groups.push({ calls: [call], isPoll })
    }
  }
  return groups.map((group) => group.calls)
}

function foldedEntry(first: TimelineEntry, others: readonly TimelineEntry[]): TimelineEntry {
  const entries = [first, ...others]
  const last = others.at(-1) ?? first
  return {
    at: first.at,
    title: consoleText('timeline.polls', { count: entries.length }),
    details: [html`${consoleText('timeline.pollsUntil')} !${timeMarkup(last.at)}`],
    folded: { summary: consoleText('timeline.pollsShow'), entries },
  }
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
      ...(bankText === null ? [] : [html`${consoleText('timeline.bankAnswer')} !${bankTextMarkup(bankText)}`]),
      ...(requestId === null ? [] : [html`X-Request-ID <code>${requestId}</code>`]),
    ],
    ...(requestId === null ? {} : { anchor: bankCallAnchor(requestId) }),
  }
}
