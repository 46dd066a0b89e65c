/** Sees to bulks whose request has died, and to those that were given up until nothing of them is left. */
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import { dueSweep } from '../../foundation/due-sweep.ts'
import type { Sweep } from '../../foundation/sweep.ts'
import { retryAt } from '../../platform/jobs/retry-backoff.ts'
import { standingOfBulk, tellOfCarriedOut } from './bulk-order-states.ts'
import { changeBulk, findBulk } from './bulk-store.ts'
import { freeKey, giveUpBulk } from './give-up-bulk.ts'

/** No bank is asked here. */
const LEASE_SECONDS = 60
const LOOK_AGAIN = { leastSeconds: 30, mostSeconds: 3600 }
const bulks = {
  table: 'payroll_bulks',
  share: 'bic',
  name: 'bulks of payrolls',
  column: 'work_at',
  time: 'business',
  leaseSeconds: LEASE_SECONDS,
} as const

/** The sweep over bulks. */
export function bulkSweep(context: Context): Sweep {
  return dueSweep(context, bulks, (key) => lookAfterBulk(context, key))
}

/** Its payrolls are withdrawn by a sweep of their own. */
async function lookAfterBulk(context: Context, key: RowKey): Promise<void> {
  const bulk = await findBulk(context.database, key)
  if (bulk?.state === 'ordering') {
    await giveUpBulk(context, key)
  } else if (bulk?.state === 'failing') {
    const standing = await standingOfBulk(context, key)
    await tellOfCarriedOut(context, key, standing)
    const isOver = standing.open === 0
    if (isOver) {
      await freeKey(context, key, standing)
    }
    const workAt = isOver ? null : retryAt(bulk.createdAt, context.clock.now(), LOOK_AGAIN)
    const to = isOver ? 'failed' : 'failing'
    await changeBulk(context.database, key, { from: 'failing', to, workAt, leaseUntil: null })
  }
}
