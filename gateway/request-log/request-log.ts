/** Opens the log of partners' requests, which are stored in batches; no request waits for it. */
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { Config } from '../config/config.ts'
import { type BufferedWriter, openBufferedWriter } from '../platform/database/buffered-writer.ts'
import type { Database } from '../platform/database/database.ts'
import type { Exchange } from '../platform/http/operations/served-operation.ts'
import type { Log } from '../platform/observability/log.ts'
import type { Metrics } from '../platform/observability/metrics.ts'
import { describeExchange } from './describe-exchange.ts'
import type { LoggedRequest } from './logged-request.ts'
import { insertRequests, type RequestRow, requestRow } from './request-log-store.ts'

export type RequestLog = {
  /** Requests of unknown clients, those of the sandbox's own operations, and reads of the log are not logged. */
  record(exchange: Exchange): void
  /** Writes what has been recorded so far. */
  flush(): Promise<void>
}

/** A program that follows the log would see nothing but its own reads. */
const READS_LOG: readonly Operation['id'][] = [operations.listRequests.id, operations.getRequest.id]

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
  const onDropped = (count: number, error: unknown) => {
    metrics.droppedLogRows.inc({ log: 'requests' }, count)
    if (error !== undefined) {
      log.warn({ count, error }, 'requests could not be written to the request log')
    }
  }
  const writer: BufferedWriter<RequestRow> = openBufferedWriter({
    write: (rows) => insertRequests(database, rows),
    onDropped,
  })
  return {
    record: (exchange) => {
      const { caller, operation } = exchange
      const isLogged = config.requestLog && !operation.sandboxOnly && !READS_LOG.includes(operation.id)
      if (isLogged && caller !== undefined) {
        // Now: the objects of a request that is held until its batch is written outlive many garbage collections.
        try {
          const row = requestRow(describeExchange(exchange, caller))
          writer.add(row, row.line.length)
        } catch (error) {
          onDropped(1, error)
        }
      }
    },
    flush: writer.flush,
  }
}

/** Stores requests of the past, for data sets of the sandbox. */
export async function logPastRequests(
  { database }: { readonly database: Database<unknown> },
  requests: readonly LoggedRequest[],
): Promise<void> {
  if (requests.length > 0) {
    await insertRequests(database, requests.map(requestRow))
  }
}
