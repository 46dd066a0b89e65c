/** Open FX deals and inbound funds for operators, and decisions on them. */
import type { Context } from '../../gateway/context.ts'
import {
  cancelDealByOperator,
  recordAsOwnFunds,
  recordRefund,
  returnFundsByOperator,
} from '../../gateway/fx/operator-actions.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { DEALS_PATH, dealPage } from './deal-page.ts'
import { dealsPage, decideDeal, decideFunds, retryDeal } from './deals-page.ts'
import { FUNDS_PATH, fundsPage } from './funds-page.ts'

const DEAL = `${DEALS_PATH}/:dealId`
const FUNDS = `${FUNDS_PATH}/:receiptId`

export function dealRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  const act = { method: 'POST', permission: 'operations.act' } as const
  return [
    { ...read, path: DEALS_PATH, handle: () => dealsPage(context) },
    { ...read, path: DEAL, handle: (request) => dealPage(context, request) },
    { ...act, path: `${DEAL}/cancel`, handle: (request) => decideDeal(context, request, cancelDealByOperator) },
    { ...act, path: `${DEAL}/retry`, handle: (request) => retryDeal(context, request) },
    { ...act, path: `${DEAL}/refunded`, handle: (request) => decideDeal(context, request, recordRefund) },
    { ...read, path: FUNDS, handle: (request) => fundsPage(context, request) },
    { ...act, path: `${FUNDS}/send-back`, handle: (request) => decideFunds(context, request, returnFundsByOperator) },
    { ...act, path: `${FUNDS}/keep`, handle: (request) => decideFunds(context, request, recordAsOwnFunds) },
  ]
}
