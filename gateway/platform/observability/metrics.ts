/** Prometheus metrics; one registry per process, to which modules add their own. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The sampling interval of event-loop delay: each sample wakes the process, which the default of 10 ms does 100 times a
 * second.
 */
const LOOP_DELAY_EVERY_MILLISECONDS = 50
/** The buckets of durations. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type Metrics = ReturnType<typeof openMetrics>

/** `processMetrics` adds memory, event loop and garbage collection. */
export function openMetrics({ processMetrics }: { readonly processMetrics: boolean }) {
  const registry = processMetrics ? Registry.merge([registryOfProcess()]) : new Registry()
  const create = metricFactory(registry)
  return {
    registry,
    ...serverMetrics(create),
    ...callMetrics(create),
    ...sweepMetrics(create),
    ...webhookMetrics(create),
    ...openWorkMetrics(create),
    ...bankMetrics(create),
    ...databaseMetrics(create),
  }
}

let ofProcess: Registry | undefined

/** Once per process: their collection never ends, and a process that cannot start opens its metrics again and again. */
function registryOfProcess(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MILLISECONDS })
  }
  return ofProcess
}

type MetricFactory = ReturnType<typeof metricFactory>

/** Creates metrics in a registry. */
export function metricFactory(registry: Registry) {
  const registers = [registry]
  return {
    counter: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers }),
  }
}

/** Inbound requests. */
function serverMetrics({ counter, histogram }: MetricFactory) {
  return {
    requests: histogram('havn_request_seconds', 'Duration of requests, by route and status.', [
      'method',
      'route',
      'status',
    ]),
    rejectedConnections: counter(
      'havn_connections_rejected_total',
      'Connections that were closed without a response because of a connection limit, by limit: total or address.',
      ['limit'],
    ),
    droppedLogRows: counter(
      'havn_log_rows_dropped_total',
      'Rows of a log of calls that were not stored because its buffer was full or the database failed, by log.',
      ['log'],
    ),
  }
}

/** Outbound calls and their durations. */
function callMetrics({ histogram }: MetricFactory) {
  return {
    bankCalls: histogram(
      'havn_bank_call_seconds',
      'Duration of calls to banks, by bank, operation and outcome (an HTTP status, or unreachable).',
      ['bank', 'operation', 'outcome'],
    ),
    registryCalls: histogram(
      'havn_registry_call_seconds',
      'Duration of calls to company registries, by registry, operation and outcome (an HTTP status, or unreachable).',
      ['registry', 'operation', 'outcome'],
    ),
    fxCalls: histogram(
      'havn_fx_call_seconds',
      'Duration of calls to FX providers, by provider, operation and outcome (an HTTP status, or unreachable).',
      ['provider', 'operation', 'outcome'],
    ),
  }
}

function sweepMetrics({ counter, gauge, histogram }: MetricFactory) {
  return {
    sweeps: histogram('havn_sweep_seconds', 'Duration of sweep rounds that found rows.', ['sweep']),
    sweepFailures: counter('havn_sweep_failures_total', 'Failed rounds and rows of a sweep; they are retried.', [
      'sweep',
    ]),
    failedRows: gauge(
      'havn_failed_rows',
      'Rows of a sweep that cannot be processed at present; they are retried with growing delays.',
      ['sweep'],
    ),
  }
}

function webhookMetrics({ counter, gauge, histogram }: MetricFactory) {
  return {
    webhookAttempts: histogram(
      'havn_webhook_attempt_seconds',
      'Duration of delivery attempts, by the resulting delivery status (Queued: it is retried).',
      ['outcome'],
    ),
    webhookDeliveriesReady: gauge(
      'havn_webhook_deliveries_ready',
      'Deliveries that are ready for an attempt or in flight; counted every ten seconds.',
    ),
    webhookOldestReadyDelivery: gauge(
      'havn_webhook_oldest_ready_delivery_seconds',
      'Time since the oldest waiting delivery became ready, in seconds.',
    ),
    failedWebhookDeliveries: counter(
      'havn_webhook_deliveries_failed_total',
      'Deliveries that ended without success: Failed after the last attempt or a permanent error, Refused because of their URL.',
      ['outcome'],
    ),
    webhookInternalErrors: counter(
      'havn_webhook_internal_errors_total',
      'Attempts that could not be sent because of an internal error, such as a secret that cannot be decrypted.',
    ),
  }
}

/** Work that waits for an operator or a renewal. */
function openWorkMetrics({ gauge }: MetricFactory) {
  return {
    openTasks: gauge('havn_operator_tasks_open', 'Open operator tasks, by kind.', ['kind']),
    expiringConsents: gauge(
      'havn_consents_expiring',
      'Consents that expire within seven days and have not been renewed, by bank.',
      ['bank'],
    ),
  }
}

/** Bank status, our certificates, banks' answers and files. */
function bankMetrics({ counter, gauge }: MetricFactory) {
  return {
    bankStatus: gauge(
      'havn_bank_status',
      'The status of each enabled bank: 1 for the current one (Operational, Degraded, Down, Paused).',
      ['bank', 'status'],
    ),
    certificateWarning: gauge(
      'havn_certificate_warning_timestamp_seconds',
      'When operators are first warned of the expiry of our certificates at banks, in seconds since 1970.',
      ['certificate'],
    ),
    certificateExpiry: gauge(
      'havn_certificate_expiry_timestamp_seconds',
      'Expiry of our certificates at banks, in seconds since 1970: QWAC for connections, QSEAL for messages.',
      ['certificate'],
    ),
    identityRejections: counter(
      'havn_bank_identity_rejections_total',
      'Calls that a bank rejected because of our certificate, signature or role, by error code.',
      ['bank', 'code'],
    ),
    bankTlsFailures: counter(
      'havn_bank_tls_failures_total',
      'Calls to a bank that failed because no TLS connection could be made, by reason.',
      ['bank', 'reason'],
    ),
    bankAnswerDeviations: counter(
      'havn_bank_answer_deviations_total',
      'How answers of a bank differ from its standard, by operation and effect: ignored, dropped, unreadable, unknown-status.',
      ['bank', 'operation', 'effect'],
    ),
    consentsWithoutAccounts: counter(
      'havn_bank_consents_without_accounts_total',
      'Consents that users accepted at a bank, which reports another owner for each of their accounts.',
      ['bank'],
    ),
    unreadableFiles: counter(
      'havn_bank_files_unreadable_total',
      'Files of a bank that cannot be parsed, each counted once.',
      ['bank'],
    ),
  }
}

/** The database, the connection pool of the process, and its clock compared with that of the database. */
function databaseMetrics({ gauge }: MetricFactory) {
  return {
    databaseUp: gauge('havn_database_up', 'Whether the database answered when the metrics were read: 1, otherwise 0.'),
    databaseConnections: gauge(
      'havn_database_connections',
      'Open connections of the pool to the database, by state: used or idle.',
      ['state'],
    ),
    databaseConnectionsMax: gauge(
      'havn_database_connections_max',
      'Connections that the pool may open: HAVN_DATABASE_CONNECTIONS_MAX.',
    ),
    databaseConnectionsWaiting: gauge(
      'havn_database_connections_waiting',
      'Statements that wait for a connection of the pool.',
    ),
    clockDifference: gauge(
      'havn_clock_difference_seconds',
      'How far the clock of this process is ahead of that of the database, in seconds; negative when behind.',
    ),
  }
}
