/** `havn after-restore`: prepares a restored database before gateways and workers use it. */

import { recordFailover } from '../../gateway/operators/record-failover.ts'
import { readTimeline } from '../../gateway/platform/database/timeline.ts'
import { parseTimeParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { prepareRestoredDatabase } from '../../gateway/prepare-restored-database.ts'

/** What the operator says became of the time after the point of the restore; one of the two. */
export type AfterRestoreOptions = { readonly to?: string; readonly nothingLost?: true }

export async function afterRestoreCommand(
  context: ProgramContext,
  actor: string,
  { to, nothingLost }: AfterRestoreOptions,
): Promise<void> {
  if ((to === undefined) === (nothingLost === undefined)) {
    throw new Error('Give either --to, the point in time of a restore, or --nothing-lost after a failover')
  }
  await (to === undefined ? recordWithoutLoss(context, actor) : prepare(context, actor, to))
}

async function recordWithoutLoss(context: ProgramContext, actor: string): Promise<void> {
  const timeline = await readTimeline(context.database)
  if (timeline === null) {
    throw new Error('The server does not say on which timeline it is: name the primary in DATABASE_URL')
  }
  await recordFailover(context, { timeline, actor })
  console.log(`Recorded: timeline ${timeline.number} continues the one before without a loss. Nothing was changed.`)
}

async function prepare(context: ProgramContext, actor: string, to: string): Promise<void> {
  const restoredTo = parseTimeParameter(to, 'UTC')
  if (restoredTo === undefined || Temporal.Instant.compare(restoredTo, context.clock.real()) > 0) {
    throw new Error(`--to must be a day or an instant in the past, such as 2026-11-23T09:42:00Z, not ${to}`)
  }
  const { payrollsHeld, streamsAdvanced } = await prepareRestoredDatabase(context, { restoredTo, actor })
  console.log(
    `${payrollsHeld} payrolls are held, each with an operator task. The events of ${streamsAdvanced} partners continue at new positions.\n` +
      'Start workers now, then run havn reconcile with the logs of the lost time. Start gateways after that: before it, a partner that repeats a lost request would order twice.',
  )
}
