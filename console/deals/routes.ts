/** Open FX deals and inbound funds for operators, and decisions on them. */
import type { Context } from '../../gateway/context.ts'
import {
  cancelDealByOperator,
  recordAsOwnFunds,
  recordRefund,
  returnFundsByOperator,
} from '../../gateway/fx/operator-actions.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { DEALS_PATH, dealPage } from './deal-page.ts'
import { dealsPage, decideDeal, decideFunds, retryDeal } from './deals-page.ts'
import { FUNDS_PATH, fundsPage } from './funds-page.ts'

const DEAL = `${DEALS_PATH}/:dealId`
const FUNDS = `${FUNDS_PATH}/:receiptId`

export function dealRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('operations.read')
  const act = post('operations.act')
  return [
    read(DEALS_PATH, () => dealsPage(context)),
    read(DEAL, (request) => dealPage(context, request)),
    act(`${DEAL}/cancel`, (request) => decideDeal(context, request, cancelDealByOperator)),
    act(`${DEAL}/retry`, (request) => retryDeal(context, request)),
    act(`${DEAL}/refunded`, (request) => decideDeal(context, request, recordRefund)),
    read(FUNDS, (request) => fundsPage(context, request)),
    act(`${FUNDS}/send-back`, (request) => decideFunds(context, request, returnFundsByOperator)),
    act(`${FUNDS}/keep`, (request) => decideFunds(context, request, recordAsOwnFunds)),
  ]
}
