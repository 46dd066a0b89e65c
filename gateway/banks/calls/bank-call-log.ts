/** Opens the log of calls to banks: those for payments are stored, and all are counted, in batches (decision 0105). */
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import { openBufferedWriter } from '../../platform/database/buffered-writer.ts'
import type { Database } from '../../platform/database/database.ts'
import { lowestIdAt, newId } from '../../platform/ids.ts'
import { retentionSweep } from '../../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { type Log, maskTokens } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { type CallOutcome, outcomeOfCall } from '../directory/bank-health.ts'
import type { BankCall, BankCallObserver } from '../transport/bank-http-client.ts'
import {
  type BankCallCount,
  bankCallLine,
  bucketOf,
  deleteOldBankCallCounts,
  deleteOldBankCalls,
  insertBankCalls,
} from './bank-call-store.ts'

export type BankCallLog = {
  readonly record: BankCallObserver
  /** Writes what has been recorded so far. */
  flush(): Promise<void>
}

type Dependencies = {
  readonly config: Pick<Config, 'bankCallLog'>
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** What is held of a call until it is written. */
type Recorded = {
  /** One for each payment. */
  readonly lines: readonly Buffer[]
  readonly counted: CountKey
}

/** What is held of a call without its lines. */
const CALL_BYTES = 100
/** A basket of very many payments is shown at the first ones. */
const PAYMENTS_MAX = 20
const PATH_CHARACTERS_MAX = 500
const HOUR_MILLISECONDS = 3_600_000

type CountKey = readonly [bic: string, hourMilliseconds: number, outcome: CallOutcome, bucket: number]

/** A log that is switched off records nothing. */
export function openBankCallLog({ config, database, clock, log, metrics }: Dependencies): BankCallLog {
  const writer = openBufferedWriter<Recorded>({
    write: (recorded) =>
      insertBankCalls(
        database,
        recorded.flatMap(({ lines }) => lines),
        countsOf(recorded),
      ),
    onDropped: (count, error) => {
      metrics.droppedLogRows.inc({ log: 'bank calls' }, count)
      if (error !== undefined) {
        log.warn({ count, error }, 'calls to banks could not be written to their log')
      }
    },
  })
  return {
    record: (call, exchange) => {
      if (config.bankCallLog) {
        const lines = linesOf(call, exchange, clock)
        const now = clock.real().epochMilliseconds
        const hour = now - (now % HOUR_MILLISECONDS)
        writer.add(
          { lines, counted: [call.bank, hour, outcomeOfCall(call), bucketOf(call.milliseconds)] },
          lines.reduce((sum, { length }) => sum + length, CALL_BYTES),
        )
      }
    },
    flush: writer.flush,
  }
}

function linesOf(
  call: BankCall,
  { request, response }: Parameters<BankCallObserver>[1],
  clock: Clock,
): readonly Buffer[] {
  const { about } = request
  if (about === undefined) {
    return []
  }
  const milliseconds = Math.round(call.milliseconds * 10) / 10
  const shown = {
    bic: call.bank,
    at: clock
      .now()
      .subtract({ milliseconds: Math.round(call.milliseconds) })
      .toString(),
    operation: call.operation,
    method: request.method,
    path: maskTokens(pathOf(request.url).slice(0, PATH_CHARACTERS_MAX)),
    status: 'status' in call ? call.status : null,
    error: 'error' in call ? call.error : null,
    milliseconds,
    requestId: call.requestId,
    bankText: response === null ? null : (request.summarise?.(response) ?? null),
  }
  return about.paymentIds
    .slice(0, PAYMENTS_MAX)
    .map((paymentId) => bankCallLine({ ...shown, partnerId: about.partnerId, paymentId, id: newId() }))
}

/** Of a URL that has been requested; parsing it once more would take a tenth of what a call costs here. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start === -1 ? '/' : (url.slice(start).split(/[?#]/, 1)[0] ?? '/')
}

function countsOf(recorded: readonly Recorded[]): readonly BankCallCount[] {
  const countByKey = new Map<string, BankCallCount>()
  for (const { counted } of recorded) {
    const [bic, hourMilliseconds, outcome, bucket] = counted
    const key = counted.join(' ')
    const calls = (countByKey.get(key)?.calls ?? 0) + 1
    const hour = Temporal.Instant.fromEpochMilliseconds(hourMilliseconds).toString()
    countByKey.set(key, { bic, hour, outcome, bucket, calls })
  }
  return [...countByKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
}

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

export function bankCallRetentionSweep(context: ProgramContext): Sweep {
  const { database } = context
  return retentionSweep('bank call retention', context, async (real, purge) => {
    const before = real.subtract(RETENTION)
    const belowId = lowestIdAt(before)
    const calls = await purge.run('calls', ROWS_PER_BATCH, (range) => deleteOldBankCalls(database, belowId, range))
    const counts = await purge.run('counts', ROWS_PER_BATCH, (range) =>
      deleteOldBankCallCounts(database, before, range),
    )
    return calls + counts
  })
}
