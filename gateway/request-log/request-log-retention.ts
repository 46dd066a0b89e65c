/** Deletes requests from the log after their retention period, and the oldest when the log is too large. */
import type { Context } from '../context.ts'
import { lowestIdAt } from '../platform/ids.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { deleteOldestRequests, findLogSize, findPartnerWithRequestsBelow } from './request-log-retention-store.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500
const BYTES_PER_MEGABYTE = 1024 * 1024

type RetentionContext = Pick<Context, 'database' | 'clock' | 'config'>

export function requestLogRetentionSweep(context: RetentionContext): Sweep {
  return retentionSweep(
    'request log retention',
    context.clock,
    async (real) => (await deleteOld(context, real)) || (await deleteExcess(context, real)),
  )
}

async function deleteOld({ database }: RetentionContext, real: Temporal.Instant): Promise<number> {
  const belowId = lowestIdAt(real.subtract(RETENTION))
  const partnerId = await findPartnerWithRequestsBelow(database, belowId)
  return partnerId === undefined
    ? 0
    : await deleteOldestRequests(database, { partnerId, belowId, limit: ROWS_PER_BATCH })
}

/** The partner that stores most loses its oldest requests: one that sends very many does not displace the others'. */
async function deleteExcess({ database, config }: RetentionContext, real: Temporal.Instant): Promise<number> {
  const size = await findLogSize(database)
  return size === undefined || size.bytes <= config.requestLogMegabytesMax * BYTES_PER_MEGABYTE
    ? 0
    : await deleteOldestRequests(database, {
        partnerId: size.largestPartnerId,
        belowId: lowestIdAt(real.add({ minutes: 1 })),
        limit: ROWS_PER_BATCH,
      })
}
