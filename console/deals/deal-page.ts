/** Shows an FX deal: its state, events, funds and ledger, and the decisions that an operator may make. */

import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { type DealDetails, getDealDetails } from '../../gateway/fx/deals/get-deal.ts'
import { CLOSED_STATES, cancellableFrom, type Deal } from '../../gateway/fx/store/deal.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable, factList, numberColumn } from '../markup/data-table.ts'
import { detailsMarkup, reasonMarkup } from '../markup/explained-codes.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { statusMarkup } from '../markup/status.ts'
import { type TimelineEntry, timelineMarkup } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'
import { decisionForm, findOrNotFound } from './decision-form.ts'

export const DEALS_PATH = '/console/deals'

export async function dealPage(
  context: Context,
  { viewer, params: { dealId = '' } }: ConsoleRequest,
  rejected?: ActionOutcome,
): Promise<ConsolePage> {
  const details = await findOrNotFound(dealId, (id) => getDealDetails(context, id))
  const mayAct = isPermitted(viewer.session.roles, 'operations.act')
  const entries = dealEntries(details)
  const body = html`!${noticeMarkup(rejected)}
!${factsOf(details.deal)}
!${mayAct ? decisionsOf(details.deal, viewer) : ''}
!${entries.length === 0 ? '' : html`<h2>${consoleText('deal.events')}</h2>!${timelineMarkup(entries)}`}
<h2>${consoleText('deal.ledger')}</h2>
!${ledgerOf(details)}`
  return { kind: 'page', status: rejected?.status ?? 200, title: consoleText('deal.title'), body }
}

function factsOf(deal: Deal): string {
  const { state, reason, paymentId, failingSince, attempts } = deal
  return factList({
    'deals.state': statusMarkup(state),
    'deal.reason': reasonMarkup(reason),
    'deal.cancelReason': reasonMarkup(deal.cancelReason),
    'deals.paid': html`${formatMoneyForReaders(deal.cost)}`,
    'deal.sold': html`${formatMoneyForReaders(deal.quote.sell)}`,
    'deals.bought': html`${formatMoneyForReaders(deal.quote.buy)}`,
    'deal.deadline': timeMarkup(deal.deadline),
    'deals.tries': failingSince && html`${attempts}, ${consoleText('bank.since')} !${timeMarkup(failingSince)}`,
    'deal.payment': paymentId && idMarkup(paymentId, `/console/payments/${paymentId}`),
    'deal.quote': idMarkup(deal.quoteId),
    'deal.reference': html`${deal.referenceCode}`,
    'deal.provider': html`${deal.provider}`,
    'deal.conversion': html`${deal.conversionId ?? ''}`,
    'deal.payout': html`${deal.payoutId ?? ''}`,
    'deal.id': copyableCode(deal.id, consoleText('deal.id')),
  })
}

function decisionsOf(deal: Deal, viewer: Viewer): string {
  const { id, state } = deal
  const form = (action: string, label: string) =>
    decisionForm({ path: `${DEALS_PATH}/${id}/${action}`, label, state, viewer })
  const mayCancel = cancellableFrom.operator.includes(state) && deal.cancelReason === null
  const isClosed = CLOSED_STATES.some((closed) => closed === state)
  const retry = buttonForm({
    path: `${DEALS_PATH}/${id}/retry`,
    token: viewer.token,
    label: consoleText('deal.retry'),
    isBlock: true,
  })
  return [
    isClosed ? '' : retry,
    mayCancel ? form('cancel', consoleText('deal.cancel')) : '',
    state === 'returned' ? form('refunded', consoleText('deal.refunded')) : '',
  ].join('')
}

/** The events of a deal, and the funds that arrived for it. */
export function dealEntries({ events, receipts }: DealDetails): readonly TimelineEntry[] {
  return [
    ...events.map(({ at, event, detail }) => ({
      at,
      title: html`<strong>${event}</strong>`,
      details: Object.keys(detail).length === 0 ? [] : [detailsMarkup(detail)],
    })),
    ...receipts.map(({ id, amount, state, receivedAt }) => ({
      at: receivedAt,
      title: html`<a href="${DEALS_PATH}/funds/${id}">${formatMoneyForReaders(amount)}</a> !${statusMarkup(state)}`,
      details: [],
    })),
  ]
}

export function ledgerOf({ lines }: Pick<DealDetails, 'lines'>): string {
  return dataTable(
    lines,
    {
      'deal.at': ({ at }) => timeMarkup(at),
      'deal.event': ({ event }) => html`${event}`,
      'deal.account': ({ account }) => html`${account}`,
      'deal.amount': numberColumn((line) => html`${formatMoneyForReaders(line)}`),
    },
    consoleText('deal.noLines'),
  )
}
