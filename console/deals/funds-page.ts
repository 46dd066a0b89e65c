/** Shows inbound funds at the FX provider, and the decisions that an operator may make about held ones. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { requireInboundFunds } from '../../gateway/fx/deals/get-deal.ts'
import type { InboundFunds } from '../../gateway/fx/store/inbound-funds.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { reasonMarkup } from '../markup/explained-codes.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { DEALS_PATH } from './deal-page.ts'
import { decisionForm, findOrNotFound } from './decision-form.ts'

export const FUNDS_PATH = `${DEALS_PATH}/funds`

export async function fundsPage(
  { database }: Context,
  { viewer, params: { receiptId = '' } }: ConsoleRequest,
  rejected?: ActionOutcome,
): Promise<ConsolePage> {
  const funds = await findOrNotFound(receiptId, (id) => requireInboundFunds(database, id))
  const mayAct = isPermitted(viewer.session.roles, 'operations.act')
  const body = html`!${noticeMarkup(rejected)}
!${factsOf(funds)}
!${mayAct ? decisionsOf(funds, viewer) : ''}`
  return { kind: 'page', status: rejected?.status ?? 200, title: consoleText('funds.title'), body }
}

/** What the user saw: held funds may be held for another reason later. */
export function stateOfFunds({ state, reason }: InboundFunds): string {
  return reason === null ? state : `${state} (${reason})`
}

export function fundsStateMarkup(funds: InboundFunds): string {
  const state = statusMarkup(stateOfFunds(funds))
  return funds.reason === null ? state : reasonMarkup(funds.reason, state)
}

function factsOf(funds: InboundFunds): string {
  const { dealId, failingSince, attempts } = funds
  return factList({
    'deals.state': fundsStateMarkup(funds),
    'funds.amount': html`${formatMoneyForReaders(funds.amount)}`,
    'funds.reference': html`${funds.reference ?? ''}`,
    'funds.received': timeMarkup(funds.receivedAt),
    'deals.tries': failingSince && html`${attempts}, ${consoleText('bank.since')} !${timeMarkup(failingSince)}`,
    'funds.deal': dealId && idMarkup(dealId, `${DEALS_PATH}/${dealId}`),
    'deal.provider': html`${funds.provider} ${funds.providerReceiptId}`,
    'deal.payout': html`${funds.payoutId ?? ''}`,
    'funds.id': copyableCode(funds.id, consoleText('funds.id')),
  })
}

function decisionsOf(funds: InboundFunds, viewer: Viewer): string {
  if (funds.state !== 'held' || funds.reason === 'early') {
    return ''
  }
  const form = (action: string, label: string) =>
    decisionForm({ path: `${FUNDS_PATH}/${funds.id}/${action}`, label, state: stateOfFunds(funds), viewer })
  const keep = funds.reason === 'unknown' ? form('keep', consoleText('funds.keep')) : ''
  return form('send-back', consoleText('funds.sendBack')) + keep
}
