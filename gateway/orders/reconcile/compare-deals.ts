/** Compares the conversions of the FX provider with the deals of the database, as accounts are compared with payments. */
import type { Context } from '../../context.ts'
import { type DealComparison, findUnrecordedDeals } from '../../fx/deals/find-unrecorded-deals.ts'
import { NO_PARTNER } from '../../operators/audit-entry.ts'
import { formatAmount } from '../../platform/money.ts'
import type { AccountComparison } from './compare-accounts.ts'
import type { ReconciliationWindow } from './reconciliation.ts'

/** Nothing where no provider is configured. The provider does not know for which partner it has booked. */
export async function compareDeals(
  context: Context,
  window: ReconciliationWindow,
): Promise<readonly AccountComparison[]> {
  const compared = await findUnrecordedDeals(context, window)
  if (compared === undefined) {
    return []
  }
  const { provider, conversions, error } = compared
  const outcome = error === null ? 'compared' : 'failed'
  const named = { partnerId: NO_PARTNER, bank: provider, organisationNumber: '-', account: 'conversions' }
  return [{ account: { ...named, outcome, text: error, debits: conversions }, orders: ordersOf(compared) }]
}

function ordersOf({ provider, unrecorded }: DealComparison): AccountComparison['orders'] {
  return unrecorded.map(({ dealId, conversion: { id, providerStatus, buy, sell, settlesAt } }) => ({
    ...{ partnerId: NO_PARTNER, bank: provider, kind: 'UnrecordedDeal', subjectId: dealId },
    detail: {
      provider,
      conversionId: id,
      bankStatus: providerStatus,
      buy: `${formatAmount(buy)} ${buy.currency}`,
      sell: `${formatAmount(sell)} ${sell.currency}`,
      settlesAt: settlesAt?.toString() ?? null,
    },
  }))
}
