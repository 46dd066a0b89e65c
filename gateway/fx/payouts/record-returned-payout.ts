/** Records that a payout failed or was returned: the amount is owed to the payer, and an operator refunds it. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatMoney, type Money } from '../../platform/money.ts'
import type { Deal } from '../deals/deal.ts'
import { raiseDealTask, settleDealTask } from '../deals/raise-deal-task.ts'
import { transitionDeal } from '../deals/transition-deal.ts'

/** `returned` is in the bought currency: the payout amount less the charges of banks on the way. */
export async function recordReturnedPayout(
  context: Context,
  deal: Deal,
  { returned, reason }: { readonly returned: Money; readonly reason: string },
): Promise<void> {
  await inTransaction(context, async (context) => {
    const detail = { reason, amount: formatMoney(returned) }
    const move = { state: 'returned', reason, returnedMinor: returned.minor, detail } as const
    const moved = await transitionDeal(context, deal, move)
    if (moved !== undefined) {
      await settleDealTask(context, moved, 'PayoutHeld', 'the payout came back')
      await raiseDealTask(context, moved, 'PayoutReturned', { returned: formatMoney(returned) })
    }
  })
}
