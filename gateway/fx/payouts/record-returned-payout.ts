/** Records that a payout failed or was returned: the amount is owed to the payer, and an operator refunds it. */
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatMoney, type Money } from '../../platform/money.ts'
import type { Deal } from '../deals/deal.ts'
import { raiseDealTask, settleDealTask } from '../deals/raise-deal-task.ts'
import { transitionDeal } from '../deals/transition-deal.ts'
import type { FxContext } from '../fx-context.ts'

/** `returned` is in the bought currency: the payout amount less the charges of banks on the way. */
export async function recordReturnedPayout(
  context: FxContext,
  deal: Deal,
  { returned, reason }: { readonly returned: Money; readonly reason: string },
): Promise<void> {
  const { clock, log } = context
  await inTransaction(context.database, async (database) => {
    const detail = { reason, amount: formatMoney(returned) }
    const move = { state: 'returned', reason, returnedMinor: returned.minor, detail } as const
    const moved = await transitionDeal({ database, clock }, deal, move)
    if (moved !== undefined) {
      await settleDealTask({ database, clock }, moved, 'PayoutHeld', 'the payout came back')
      await raiseDealTask({ database, clock, log }, moved, 'PayoutReturned', { returned: formatMoney(returned) })
    }
  })
}
