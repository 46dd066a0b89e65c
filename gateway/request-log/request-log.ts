/** Opens the log of partners' requests, which are stored in batches; no request waits for it. */
import type { Config } from '../config/config.ts'
import { type BufferedWriter, openBufferedWriter } from '../platform/database/buffered-writer.ts'
import type { Database } from '../platform/database/database.ts'
import type { Exchange, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import type { Log } from '../platform/observability/log.ts'
import type { Metrics } from '../platform/observability/metrics.ts'
import { describeExchange } from './describe-exchange.ts'
import { insertRequests } from './request-log-store.ts'

export type RequestLog = {
  /** Requests of unknown clients, and those of the sandbox's own operations, are not logged. */
  record(exchange: Exchange): void
  /** Writes what has been recorded so far. */
  flush(): Promise<void>
}

/** The buffered part of a request without its body. */
const REQUEST_BYTES = 1_000

/** A log that is switched off records nothing. */
export function openRequestLog({
  config,
  database,
  log,
  metrics,
}: {
  readonly config: Pick<Config, 'requestLog'>
  readonly database: Database<unknown>
  readonly log: Log
  readonly metrics: Metrics
}): RequestLog {
  const writer: BufferedWriter<{ exchange: Exchange; caller: PartnerIdentity }> = openBufferedWriter({
    write: (rows) =>
      insertRequests(
        database,
        rows.map(({ exchange, caller }) => describeExchange(exchange, caller)),
      ),
    onDropped: (count, error) => {
      metrics.droppedLogRows.inc({ log: 'requests' }, count)
      if (error !== undefined) {
        log.warn({ count, error }, 'requests could not be written to the request log')
      }
    },
  })
  return {
    record: (exchange) => {
      const { caller, operation, answer, bodyBytes } = exchange
      if (config.requestLog && caller !== undefined && !operation.sandboxOnly) {
        writer.add({ exchange, caller }, REQUEST_BYTES + bodyBytes + (answer?.length ?? 0))
      }
    },
    flush: writer.flush,
  }
}
