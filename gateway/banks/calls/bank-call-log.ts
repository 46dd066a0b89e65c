/** Opens the log of calls to banks: those for payments are stored, and all are counted, in batches (decision 0105). */
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import { openBufferedWriter } from '../../platform/database/buffered-writer.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { maskTokens } from '../../platform/mask-tokens.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { outcomeOfCall } from '../directory/bank-health.ts'
import type { BankCall, BankCallObserver } from '../transport/bank-http-client.ts'
import { type BankCallCount, insertBankCalls, type StoredBankCall } from './bank-call-store.ts'
import { bucketOf } from './latency-buckets.ts'

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
  readonly call: BankCall
  readonly exchange: Parameters<BankCallObserver>[1]
  readonly bankText: string | null
  readonly endedAt: { readonly wall: number; readonly business: number }
}

const CALL_BYTES = 1_000
/** A basket of very many payments is shown at the first ones. */
const PAYMENTS_MAX = 20
const PATH_CHARACTERS_MAX = 500
const HOUR_MILLISECONDS = 3_600_000

/** A log that is switched off records nothing. */
export function openBankCallLog({ config, database, clock, log, metrics }: Dependencies): BankCallLog {
  const writer = openBufferedWriter<Recorded>({
    write: (recorded) => insertBankCalls(database, recorded.flatMap(storedCallsOf), countsOf(recorded)),
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
        const { request, response } = exchange
        // The text now: a body is much larger.
        const bankText = response === null ? null : (request.summarise?.(response) ?? null)
        const endedAt = { wall: clock.real().epochMilliseconds, business: clock.now().epochMilliseconds }
        writer.add({ call, exchange: { request, response: null }, bankText, endedAt }, CALL_BYTES)
      }
    },
    flush: writer.flush,
  }
}

function storedCallsOf({ call, exchange: { request }, bankText, endedAt }: Recorded): readonly StoredBankCall[] {
  const { about } = request
  if (about === undefined) {
    return []
  }
  const milliseconds = Math.round(call.milliseconds * 10) / 10
  const shown = {
    bic: call.bank,
    at: Temporal.Instant.fromEpochMilliseconds(Math.round(endedAt.business - call.milliseconds)),
    operation: call.operation,
    method: request.method,
    path: maskTokens(new URL(request.url).pathname.slice(0, PATH_CHARACTERS_MAX)),
    status: 'status' in call ? call.status : null,
    error: 'error' in call ? call.error : null,
    milliseconds,
    requestId: call.requestId,
    bankText,
  }
  return about.paymentIds
    .slice(0, PAYMENTS_MAX)
    .map((paymentId) => ({ ...shown, partnerId: about.partnerId, paymentId, id: newId() }))
}

function countsOf(recorded: readonly Recorded[]): readonly BankCallCount[] {
  const countByKey = new Map<string, BankCallCount>()
  for (const { call, endedAt } of recorded) {
    const hour = endedAt.wall - (endedAt.wall % HOUR_MILLISECONDS)
    const key = { bic: call.bank, hour, outcome: outcomeOfCall(call), bucket: bucketOf(call.milliseconds) }
    const text = Object.values(key).join(' ')
    const calls = (countByKey.get(text)?.calls ?? 0) + 1
    countByKey.set(text, { ...key, hour: Temporal.Instant.fromEpochMilliseconds(hour).toString(), calls })
  }
  return [...countByKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
}
