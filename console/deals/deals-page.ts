/** Lists open FX deals and inbound funds for operators, and carries out decisions on them. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listOpenDealsAndFunds, requireDeal, requireInboundFunds } from '../../gateway/fx/deals/get-deal.ts'
import { retryDealByOperator } from '../../gateway/fx/operator-actions.ts'
import type { Deal } from '../../gateway/fx/store/deal.ts'
import type { InboundFunds } from '../../gateway/fx/store/inbound-funds.ts'
import { formatAge } from '../../gateway/platform/clock.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable } from '../markup/data-table.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { DEALS_PATH, dealPage } from './deal-page.ts'
import { type Decide, decide, findOrNotFound } from './decision-form.ts'
import { FUNDS_PATH, fundsPage, fundsStateMarkup, stateOfFunds } from './funds-page.ts'

/** Shows the page of the deal again where the decision is rejected. */
export async function decideDeal(context: Context, request: ConsoleRequest, perform: Decide): Promise<ConsoleAnswer> {
  const { dealId = '' } = request.params
  const { id, state } = await findOrNotFound(dealId, (found) => requireDeal(context.database, found))
  const rejected = await decide(context, request, { id, state, perform })
  return rejected === undefined
    ? { kind: 'redirect', to: `${DEALS_PATH}/${id}` }
    : await dealPage(context, request, rejected)
}

/** The same of inbound funds. */
export async function decideFunds(context: Context, request: ConsoleRequest, perform: Decide): Promise<ConsoleAnswer> {
  const { receiptId = '' } = request.params
  const funds = await findOrNotFound(receiptId, (found) => requireInboundFunds(context.database, found))
  const { id } = funds
  const rejected = await decide(context, request, { id, state: stateOfFunds(funds), perform })
  return rejected === undefined
    ? { kind: 'redirect', to: `${FUNDS_PATH}/${id}` }
    : await fundsPage(context, request, rejected)
}

/** The worker calls the provider at once, whatever the state of the deal is by then. */
export async function retryDeal(
  context: Context,
  { viewer, params: { dealId = '' } }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const { id } = await findOrNotFound(dealId, (found) => retryDealByOperator(context, actorOf(viewer.session), found))
  await notifyDue(context.database)
  return { kind: 'redirect', to: `${DEALS_PATH}/${id}` }
}

export async function dealsPage({ database, clock }: Context): Promise<ConsolePage> {
  const { deals, receipts } = await listOpenDealsAndFunds(database)
  const now = clock.now()
  /** Of a deal and of funds, which have pages below the path. */
  const columns = <Open extends Deal | InboundFunds>(path: string, stateMarkup: (open: Open) => string) =>
    ({
      'deals.id': ({ id }) => idMarkup(id, `${path}/${id}`),
      'deals.state': stateMarkup,
      'deals.age': ({ changedAt }) => html`${formatAge(changedAt, now)}`,
      'deals.tries': ({ attempts }) => html`${attempts}`,
    }) satisfies Columns<Open>
  const body = html`<p>${consoleText('deals.explain')}</p>
!${dataTable(
    deals,
    {
      ...columns<Deal>(DEALS_PATH, ({ state }) => statusMarkup(state)),
      'deals.paid': ({ cost }) => html`${formatMoneyForReaders(cost)}`,
      'deals.bought': ({ quote }) => html`${formatMoneyForReaders(quote.buy)}`,
    },
    consoleText('deals.none'),
  )}
<h2>${consoleText('deals.funds')}</h2>
!${dataTable(
    receipts,
    {
      ...columns(FUNDS_PATH, fundsStateMarkup),
      'deals.arrived': ({ amount }) => html`${formatMoneyForReaders(amount)}`,
    },
    consoleText('deals.noFunds'),
  )}`
  return { kind: 'page', title: consoleText('deals.title'), body }
}
