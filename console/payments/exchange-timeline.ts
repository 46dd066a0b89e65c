/** The exchange of a payment in its story: its deal and funding, and for operators the ledger. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listDealIdsOfPayment } from '../../gateway/fx/deals/deal-rows.ts'
import { type DealDetails, getDealDetails } from '../../gateway/fx/deals/get-deal.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { dealEntries } from '../deals/deal-page.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { EXCHANGES_PATH, partnerDealEntries } from '../records/exchange-page.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Empty for a payment without exchange, which most are. */
export async function exchangeEntries(
  context: Context,
  payment: PartnerPayment,
  { operations }: { readonly operations: boolean },
): Promise<readonly TimelineEntry[]> {
  if (payment.exchange === null) {
    return []
  }
  const ids = await listDealIdsOfPayment(context.database, payment)
  const deals = await Promise.all(ids.map((id) => getDealDetails(context, id)))
  return deals.flatMap((details) => [
    ...(operations ? dealEntries(details) : partnerDealEntries(details)).map((entry) => ofExchange(details, entry)),
    ...(operations ? ledgerEntries(details) : []),
  ])
}

function ofExchange({ deal }: DealDetails, { title, ...entry }: TimelineEntry): TimelineEntry {
  return {
    ...entry,
    title: html`<a href="${EXCHANGES_PATH}/${deal.id}">${consoleText('timeline.exchange')}</a> !${title}`,
  }
}

/** One for each posting, with its lines. */
function ledgerEntries({ lines }: DealDetails): readonly TimelineEntry[] {
  const postings = Map.groupBy(lines, ({ event }) => event)
  return [...postings].flatMap(([event, posted]) => {
    const [first] = posted
    return first === undefined
      ? []
      : [
          {
            at: first.at,
            title: html`${consoleText('timeline.ledger')} <strong>${event}</strong>`,
            details: posted.map((line) => html`${line.account} ${formatMoneyForReaders(line)}`),
          },
        ]
  })
}
