/** `havn after-restore`: prepares a restored database before gateways and workers use it. */
import { parseTimeParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { prepareRestoredDatabase } from '../../gateway/prepare-restored-database.ts'
import type { OperatorContext } from './operator-context.ts'

export async function afterRestoreCommand(surroundings: OperatorContext, actor: string, to: string): Promise<void> {
  const restoredTo = parseTimeParameter(to, 'UTC')
  if (restoredTo === undefined || Temporal.Instant.compare(restoredTo, surroundings.clock.real()) > 0) {
    throw new Error(`--to must be a day or an instant in the past, such as 2026-11-23T09:42:00Z, not ${to}`)
  }
  const log = openLog({ program: 'havn', level: 'silent' })
  const { payrollsHeld, streamsAdvanced } = await prepareRestoredDatabase(
    { ...surroundings, log },
    { restoredTo, actor },
  )
  console.log(
    `${payrollsHeld} payrolls are held, each with an operator task. The events of ${streamsAdvanced} partners continue at new positions.\n` +
      'Start workers and gateways now, then run havn reconcile with the logs of the lost time.',
  )
}
