/** Deletes idempotency keys after their retention period. */

import { retentionSweep } from '../../jobs/retention-sweep.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import type { ProgramContext } from '../../program-context.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

/** Keys whose outcome is unknown stay. */
const DELETE = `
  with old as materialized (
    select partner_id, operation, key from idempotency where started_at < $1 and not outcome_unknown
    order by started_at, partner_id, operation, key limit $2 offset $3 for update skip locked)
  delete from idempotency i using old o where (i.partner_id, i.operation, i.key) = (o.partner_id, o.operation, o.key)`

export function idempotencyRetentionSweep(context: ProgramContext): Sweep {
  return retentionSweep('idempotency key retention', context, (real, purge) =>
    purge.run('keys', ROWS_PER_BATCH, async ({ limit, offset }) => {
      const values = [real.subtract(RETENTION).toString(), limit, offset]
      const { rowCount } = await context.database.pool.query({ name: 'delete-old-requests', text: DELETE, values })
      return rowCount ?? 0
    }),
  )
}
