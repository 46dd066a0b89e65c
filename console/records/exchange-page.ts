/** Shows the exchange of a payment: its deal, the funds that arrived for it and the ledger. Operators decide at the deal. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { DEAL_ROWS } from '../../gateway/fx/deals/deal-rows.ts'
import { type DealDetails, getDealDetails } from '../../gateway/fx/deals/get-deal.ts'
import type { Deal } from '../../gateway/fx/store/deal.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { DEALS_PATH, dealEntries, ledgerOf } from '../deals/deal-page.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { reasonMarkup } from '../markup/explained-codes.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { type TimelineEntry, timelineMarkup } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'

export const EXCHANGES_PATH = '/console/exchanges'

export async function exchangePage(context: Context, { viewer, params }: ConsoleRequest): Promise<ConsolePage> {
  const { id, partnerName } = await requireVisible(context, viewer, DEAL_ROWS, params['dealId'])
  const details = await getDealDetails(context, id)
  const isOperator = viewer.session.partnerId === null
  const entries = isOperator ? dealEntries(details) : partnerDealEntries(details)
  const body = html`!${factsOf(details.deal, partnerName)}
!${isOperator ? html`<p><a href="${DEALS_PATH}/${id}">${consoleText('exchange.deal')}</a></p>` : ''}
!${entries.length === 0 ? '' : html`<h2>${consoleText('deal.events')}</h2>!${timelineMarkup(entries)}`}
!${isOperator ? html`<h2>${consoleText('deal.ledger')}</h2>!${ledgerOf(details)}` : ''}`
  return { kind: 'page', title: consoleText('exchange.title'), body }
}

/** What the provider was paid, and its own words, are between Havn and the provider. */
export function partnerDealEntries({ events, receipts }: Omit<DealDetails, 'lines'>): readonly TimelineEntry[] {
  return [
    ...events.map(({ at, event }) => ({ at, title: html`<strong>${event}</strong>`, details: [] })),
    ...receipts.map(({ amount, receivedAt }) => ({
      at: receivedAt,
      title: html`${consoleText('exchange.funds', { amount: formatMoneyForReaders(amount) })}`,
      details: [],
    })),
  ]
}

function factsOf(deal: Deal, partnerName: string): string {
  const { id, state, reason, paymentId } = deal
  return factList({
    'deals.state': statusMarkup(state),
    'deal.reason': reasonMarkup(reason),
    'deals.paid': html`${formatMoneyForReaders(deal.cost)}`,
    'deals.bought': html`${formatMoneyForReaders(deal.quote.buy)}`,
    'deal.deadline': timeMarkup(deal.deadline),
    'deal.payment': paymentId && idMarkup(paymentId, `/console/payments/${paymentId}`),
    'deal.quote': idMarkup(deal.quoteId),
    'deal.reference': html`${deal.referenceCode}`,
    'records.columns.partner': html`${partnerName}`,
    'records.columns.id': copyableCode(id, consoleText('records.columns.id')),
  })
}
