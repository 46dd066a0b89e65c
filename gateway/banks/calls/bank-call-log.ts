/** Opens the log of calls to banks: those for payments are stored, and all are counted, in batches (decision 0105). */
import pg from 'pg'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import { type CopiedValue, copyLine, copyRows, openBufferedWriter } from '../../platform/database/buffered-writer.ts'
import type { Database } from '../../platform/database/database.ts'
import { lowestIdAt, newId } from '../../platform/ids.ts'
import { retentionSweep } from '../../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { type Log, maskTokens } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { BankCall, BankCallObserver } from '../transport/bank-http-client.ts'

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
  readonly counted: readonly [bic: string, hourMilliseconds: number, outcome: BankCall['outcome'], bucket: number]
}

/** What is held of a call without its lines. */
const CALL_BYTES = 100
/** A basket of very many payments is shown at the first ones. */
const PAYMENTS_MAX = 20
const PATH_CHARACTERS_MAX = 500
const HOUR_MILLISECONDS = 3_600_000

/** The ratio of the durations of two buckets in a row. */
export const BUCKET_GROWTH = 1.1

/** A log that is switched off records nothing. */
export function openBankCallLog({ config, database, clock, log, metrics }: Dependencies): BankCallLog {
  const writer = openBufferedWriter<Recorded>({
    write: (recorded) =>
      copyRows(
        database,
        { table: 'bank_calls', columns: COLUMNS, before: countSql(recorded) },
        recorded.flatMap(({ lines }) => lines),
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
        // Everything up to a millisecond is in the first one.
        const bucket = Math.ceil(Math.log(Math.max(1, call.milliseconds)) / Math.log(BUCKET_GROWTH))
        writer.add(
          { lines, counted: [call.bank, hour, call.outcome, bucket] },
          lines.reduce((sum, { length }) => sum + length, CALL_BYTES),
        )
      }
    },
    flush: writer.flush,
  }
}

/** Of a call for a payment; those of its bodies and headers are not stored. */
const COLUMNS = [
  ...(['partner_id', 'payment_id', 'id', 'bic', 'at', 'operation', 'method', 'path'] as const),
  ...(['status', 'error', 'milliseconds', 'request_id', 'bank_text'] as const),
]

function linesOf(
  call: BankCall,
  { request, response }: Parameters<BankCallObserver>[1],
  clock: Clock,
): readonly Buffer[] {
  const { about } = request
  if (about === undefined) {
    return []
  }
  // The path of a URL that has been requested: parsing it once more would take a tenth of what a call costs here.
  const start = request.url.indexOf('/', request.url.indexOf('://') + 3)
  const path = start === -1 ? '/' : (request.url.slice(start).split(/[?#]/, 1)[0] ?? '/')
  const begun = clock.now().subtract({ milliseconds: Math.round(call.milliseconds) })
  return about.paymentIds.slice(0, PAYMENTS_MAX).map((paymentId) => {
    const row: Readonly<Record<(typeof COLUMNS)[number], CopiedValue>> = {
      partner_id: about.partnerId,
      payment_id: paymentId,
      id: newId(),
      bic: call.bank,
      at: begun.toString(),
      operation: call.operation,
      method: request.method,
      path: maskTokens(path).slice(0, PATH_CHARACTERS_MAX),
      status: 'status' in call ? call.status : null,
      error: 'error' in call ? call.error : null,
      milliseconds: Math.round(call.milliseconds * 10) / 10,
      request_id: call.requestId,
      bank_text: response === null ? null : (request.summarise?.(response) ?? null),
    }
    return copyLine(COLUMNS.map((column) => row[column]))
  })
}

/** So many calls of an hour with the same outcome took about as long. */
type BankCallCount = {
  readonly bic: string
  /** Its first moment, in wall time. */
  readonly hour: string
  readonly outcome: BankCall['outcome']
  readonly bucket: number
  readonly calls: number
}

/** Adds to the counts, in the order of their key, so that two processes cannot deadlock on them. */
function countSql(recorded: readonly Recorded[]): string {
  const countByKey = new Map<string, BankCallCount>()
  for (const { counted } of recorded) {
    const [bic, hourMilliseconds, outcome, bucket] = counted
    const key = counted.join(' ')
    const calls = (countByKey.get(key)?.calls ?? 0) + 1
    const hour = Temporal.Instant.fromEpochMilliseconds(hourMilliseconds).toString()
    countByKey.set(key, { bic, hour, outcome, bucket, calls })
  }
  const counts = [...countByKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
  return `insert into bank_call_counts as c
    select r.* from json_populate_recordset(null::bank_call_counts, ${pg.escapeLiteral(JSON.stringify(counts))}) r
    on conflict (bic, hour, outcome, bucket) do update set calls = c.calls + excluded.calls`
}

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

export function bankCallRetentionSweep(context: ProgramContext): Sweep {
  const { pool } = context.database
  return retentionSweep('bank call retention', context, async (real, purge) => {
    const before = real.subtract(RETENTION)
    const calls = await purge.run('calls', ROWS_PER_BATCH, async ({ limit, offset }) => {
      const deleted = await pool.query(
        `with old as materialized (
           select partner_id, payment_id, id from bank_calls where id < $1::uuid order by id, partner_id, payment_id limit $2 offset $3)
         delete from bank_calls c using old o
         where c.partner_id = o.partner_id and c.payment_id = o.payment_id and c.id = o.id`,
        [lowestIdAt(before), limit, offset],
      )
      return deleted.rowCount ?? 0
    })
    const counts = await purge.run('counts', ROWS_PER_BATCH, async ({ limit, offset }) => {
      const deleted = await pool.query(
        `delete from bank_call_counts where (bic, hour, outcome, bucket) in (
           select bic, hour, outcome, bucket from bank_call_counts where hour < $1::timestamptz
           order by bic, hour, outcome, bucket limit $2 offset $3)`,
        [before.toString(), limit, offset],
      )
      return deleted.rowCount ?? 0
    })
    return calls + counts
  })
}
