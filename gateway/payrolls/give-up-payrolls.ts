/** Gives up payrolls that their bank holds and nobody has signed: a sweep withdraws them. */
import type { Context } from '../context.ts'
import { atomically } from '../foundation/database/atomically.ts'
import { drawWhole } from '../payments/payroll-order/placing-progress.ts'
import { changeState } from './placing-store.ts'

const TEXT = 'It came in a bulk that was not taken as a whole'

/** Of those that have failed already nothing changes. */
export async function giveUpPayrolls(
  { database, clock }: Pick<Context, 'clock' | 'database'>,
  partnerId: string,
  ids: readonly string[],
): Promise<void> {
  const workAt = clock.now()
  for (const id of ids) {
    await atomically(database, async (transaction) => {
      await changeState(transaction, { partnerId, id }, { from: 'placed', to: 'failing', text: TEXT, workAt })
      await drawWhole(transaction, { partnerId, payrollId: id }, workAt)
    })
  }
}
