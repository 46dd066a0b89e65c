/** Keeps that the money bought for a receiver did not reach it, or came back: it is owed to the payer, and people give it back. */
import { atomically } from '../../platform/database/in-transaction.ts'
import { type Money, printMoney } from '../../platform/money.ts'
import type { Deal } from '../deals/deal.ts'
import { settleDealTask, tellPeople } from '../deals/raise-deal-task.ts'
import { moveDeal } from '../deals/transition-deal.ts'
import type { FxContext } from '../fx-context.ts'

/** `returned` is in the bought currency: the whole, less what banks on the way have kept. */
export async function keepCameBack(
  context: FxContext,
  deal: Deal,
  { returned, reason }: { readonly returned: Money; readonly reason: string },
): Promise<void> {
  const { clock, log } = context
  await atomically(context.database, async (database) => {
    const detail = { reason, amount: printMoney(returned) }
    const move = { state: 'returned', reason, returnedMinor: returned.minor, detail } as const
    const moved = await moveDeal({ database, clock }, deal, move)
    if (moved !== undefined) {
      await settleDealTask({ database, clock }, moved, 'PayoutHeld', 'the payout came back')
      await tellPeople({ database, clock, log }, moved, 'PayoutReturned', { returned: printMoney(returned) })
    }
  })
}
