/** Lists open FX deals and inbound funds for operators, and carries out decisions on them. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listOpenDealsAndFunds, requireDeal, requireInboundFunds } from '../../gateway/fx/deals/get-deal.ts'
import { type OperatorDecision, retryDealByOperator } from '../../gateway/fx/operator-actions.ts'
import type { Deal } from '../../gateway/fx/store/deal.ts'
import type { InboundFunds } from '../../gateway/fx/store/inbound-funds.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { formatAge } from '../../gateway/platform/time-format.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { DEALS_PATH, dealPage } from './deal-page.ts'
import { answerOf, decide, findOrNotFound } from './decision-form.ts'
import { FUNDS_PATH, fundsPage, fundsStateMarkup, stateOfFunds } from './funds-page.ts'

type Action = (context: Context, decision: OperatorDecision, id: string) => Promise<unknown>

/** Shows the page of the deal again where the decision is rejected. */
export async function decideDeal(context: Context, request: ConsoleRequest, perform: Action): Promise<ConsoleAnswer> {
  const { dealId = '' } = request.params
  const { id, state } = await findOrNotFound(dealId, (found) => requireDeal(context.database, found))
  const rejected = await decide(request, state, (decision) => carryOut(context, perform, decision, id))
  return await answerOf(rejected, `${DEALS_PATH}/${id}`, (why) => dealPage(context, request, why))
}

/** The same of inbound funds. */
export async function decideFunds(context: Context, request: ConsoleRequest, perform: Action): Promise<ConsoleAnswer> {
  const { receiptId = '' } = request.params
  const funds = await findOrNotFound(receiptId, (found) => requireInboundFunds(context.database, found))
  const rejected = await decide(request, stateOfFunds(funds), (decision) =>
    carryOut(context, perform, decision, funds.id),
  )
  return await answerOf(rejected, `${FUNDS_PATH}/${funds.id}`, (why) => fundsPage(context, request, why))
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

/** Wakes the worker, which does the rest at the provider. */
async function carryOut(context: Context, perform: Action, decision: OperatorDecision, id: string): Promise<void> {
  await perform(context, decision, id)
  await notifyDue(context.database)
}

export async function dealsPage({ database, clock }: Context): Promise<ConsolePage> {
  const { deals, receipts } = await listOpenDealsAndFunds(database)
  const now = clock.now()
  const columns = ['deals.id', 'deals.state', 'deals.age', 'deals.tries'] as const
  const body = html`<p>${consoleText('deals.explain')}</p>
!${dataTable(
    [...columns, 'deals.paid', 'deals.bought'],
    deals.map((deal) => dealCells(deal, now)),
    consoleText('deals.none'),
  )}
<h2>${consoleText('deals.funds')}</h2>
!${dataTable(
    [...columns, 'deals.arrived'],
    receipts.map((funds) => fundsCells(funds, now)),
    consoleText('deals.noFunds'),
  )}`
  return { kind: 'page', title: consoleText('deals.title'), body }
}

function dealCells({ id, state, changedAt, attempts, cost, quote }: Deal, now: Temporal.Instant): readonly string[] {
  return [
    idMarkup(id, `${DEALS_PATH}/${id}`),
    statusMarkup(state),
    html`${formatAge(changedAt, now)}`,
    html`${attempts}`,
    html`${formatMoneyForReaders(cost)}`,
    html`${formatMoneyForReaders(quote.buy)}`,
  ]
}

function fundsCells(funds: InboundFunds, now: Temporal.Instant): readonly string[] {
  return [
    idMarkup(funds.id, `${FUNDS_PATH}/${funds.id}`),
    fundsStateMarkup(funds),
    html`${formatAge(funds.changedAt, now)}`,
    html`${funds.attempts}`,
    html`${formatMoneyForReaders(funds.amount)}`,
  ]
}
