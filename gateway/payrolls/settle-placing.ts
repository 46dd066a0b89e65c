/** Moves a payroll on that is being placed: placed once its bank holds every payout, failing once one of them is lost. */
import type { Context } from '../context.ts'
import { drawWhole, type PlacingCounts, placingProgress } from '../payments/payroll-order/placing-progress.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import type { Payroll } from './payroll.ts'
import { changeState } from './submission/payroll-submission-store.ts'

/** What identifies a payroll here, and in the rooms below. */
type PayrollId = Pick<Payroll, 'partnerId' | 'id'>

const LOST = 'An order of it ended at its bank before all of them were there'

/** What the bank of a payroll holds of it by now; its state follows from that. */
export async function settlePlacing(context: Context, payroll: PayrollId): Promise<PlacingCounts> {
  const { partnerId, id: payrollId } = payroll
  const counts = await placingProgress(context, { partnerId, payrollId })
  if (counts.lost > 0) {
    await failPlacing(context, payroll, LOST)
  } else if (counts.placed === counts.count) {
    await notePlaced(context, payroll)
  }
  return counts
}

async function notePlaced({ database, clock }: Context, payroll: PayrollId): Promise<void> {
  const { partnerId, id: payrollId } = payroll
  await atomically(database, async (transaction) => {
    const move = { from: 'placing', to: 'placed', text: null, workAt: null } as const
    if (await changeState(transaction, payroll, move)) {
      await drawWhole(transaction, { partnerId, payrollId }, clock.now())
    }
  })
}

/**
 * Nothing more is placed from then on, and what the bank holds is withdrawn: at once, unless somebody else is about to do
 * that and is left `alone` for a while. False when it was not being placed any more.
 */
export async function failPlacing(
  { database, clock }: Pick<Context, 'clock'> & { readonly database: Queryable },
  payroll: PayrollId,
  text: string,
  alone: Temporal.DurationLike = { seconds: 0 },
): Promise<boolean> {
  const { partnerId, id: payrollId } = payroll
  const now = clock.now()
  const workAt = now.add(alone)
  return await atomically(database, async (transaction) => {
    const isFailing = await changeState(transaction, payroll, { from: 'placing', to: 'failing', text, workAt })
    await drawWhole(transaction, { partnerId, payrollId }, now)
    return isFailing
  })
}
