/** Deletes requests from the log after their retention period, and the oldest when the log is too large. */
import type { Context } from '../context.ts'
import type { Database } from '../platform/database/database.ts'
import { lowestIdAt } from '../platform/ids.ts'
import type { BatchPurge } from '../platform/jobs/batch-purge.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { deleteOldestRequests, findLogSize, listPartnersWithRequestsBelow } from './request-log-store.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500
const BYTES_PER_MEGABYTE = 1024 * 1024

export function requestLogRetentionSweep(context: Context): Sweep {
  return retentionSweep(
    'request log retention',
    context,
    async (real, purge) => (await deleteOld(context, purge, real)) || (await deleteExcess(context, purge, real)),
  )
}

async function deleteOld({ database }: Context, purge: BatchPurge, real: Temporal.Instant): Promise<number> {
  const belowId = lowestIdAt(real.subtract(RETENTION))
  for (const partnerId of await listPartnersWithRequestsBelow(database, belowId)) {
    const deleted = await deleteOldest(database, purge, { partnerId, belowId })
    if (deleted > 0) {
      return deleted
    }
  }
  return 0
}

/** The partner that stores most loses its oldest requests: one that sends very many does not displace the others'. */
async function deleteExcess({ database, config }: Context, purge: BatchPurge, real: Temporal.Instant): Promise<number> {
  const size = await findLogSize(database)
  return size === undefined || size.bytes <= config.requestLogMegabytesMax * BYTES_PER_MEGABYTE
    ? 0
    : await deleteOldest(database, purge, {
        partnerId: size.largestPartnerId,
        belowId: lowestIdAt(real.add({ minutes: 1 })),
      })
}

function deleteOldest(
  database: Database<unknown>,
  purge: BatchPurge,
  rows: { readonly partnerId: string; readonly belowId: string },
): Promise<number> {
  return purge.run(`requests of ${rows.partnerId}`, ROWS_PER_BATCH, (range) =>
    deleteOldestRequests(database, rows, range),
  )
}
