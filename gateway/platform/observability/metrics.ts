/** Prometheus metrics; one registry per process, to which modules add their own. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { bankMetrics } from './bank-metrics.ts'
import { callMetrics, SECONDS, serverMetrics } from './call-metrics.ts'

/**
 * The sampling interval of event-loop delay: each sample wakes the process, which the default of 10 ms does 100 times a
 * second.
 */
const LOOP_DELAY_EVERY_MILLISECONDS = 50

/** The metrics that every program has. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly rejectedConnections: Counter<'limit'>
  readonly droppedLogRows: Counter<'log'>
  readonly bankCalls: Histogram<'bank' | 'operation' | 'outcome'>
  readonly registryCalls: Histogram<'registry' | 'operation' | 'outcome'>
  readonly fxCalls: Histogram<'provider' | 'operation' | 'outcome'>
  readonly sweeps: Histogram<'sweep'>
  readonly sweepFailures: Counter<'sweep'>
  readonly failedRows: Gauge<'sweep'>
  readonly openTasks: Gauge<'kind'>
  readonly webhookAttempts: Histogram<'outcome'>
  readonly webhookDeliveriesReady: Gauge
  readonly webhookOldestReadyDelivery: Gauge
  readonly failedWebhookDeliveries: Counter<'outcome'>
  readonly webhookInternalErrors: Counter
  readonly expiringConsents: Gauge<'bank'>
  readonly bankStatus: Gauge<'bank' | 'status'>
  readonly certificateExpiry: Gauge<'certificate'>
  readonly certificateWarning: Gauge<'certificate'>
  readonly identityRejections: Counter<'bank' | 'code'>
  readonly bankTlsFailures: Counter<'bank' | 'reason'>
  readonly consentsWithoutAccounts: Counter<'bank'>
  readonly bankAnswerDeviations: Counter<'bank' | 'operation' | 'effect'>
  readonly unreadableFiles: Counter<'bank'>
  readonly databaseUp: Gauge
  readonly databaseConnections: Gauge<'state'>
  readonly databaseConnectionsMax: Gauge
  readonly databaseConnectionsWaiting: Gauge
  readonly clockDifference: Gauge
}

/** Creates the registry of a process; `processMetrics` adds memory, event loop and garbage collection. */
export function openMetrics({ processMetrics }: { readonly processMetrics: boolean }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (processMetrics) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MILLISECONDS })
  }
  return {
    registry,
    ...serverMetrics(registers),
    ...callMetrics(registers),
    ...sweepMetrics(registers),
    ...webhookMetrics(registers),
    ...openWorkMetrics(registers),
    ...bankMetrics(registers),
    ...databaseMetrics(registers),
  }
}

function sweepMetrics(registers: Registry[]) {
  return {
    sweeps: new Histogram({
      name: 'havn_sweep_seconds',
      help: 'Duration of sweep rounds that found rows.',
      labelNames: ['sweep'],
      buckets: SECONDS,
      registers,
    }),
    sweepFailures: new Counter({
      name: 'havn_sweep_failures_total',
      help: 'Failed rounds and rows of a sweep; they are retried.',
      labelNames: ['sweep'],
      registers,
    }),
    failedRows: new Gauge({
      name: 'havn_failed_rows',
      help: 'Rows of a sweep that cannot be processed at present; they are retried with growing delays.',
      labelNames: ['sweep'],
      registers,
    }),
  }
}

function webhookMetrics(registers: Registry[]) {
  return {
    webhookAttempts: new Histogram({
      name: 'havn_webhook_attempt_seconds',
      help: 'Duration of delivery attempts, by the resulting delivery status (Queued: it is retried).',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    webhookDeliveriesReady: new Gauge({
      name: 'havn_webhook_deliveries_ready',
      help: 'Deliveries that are ready for an attempt or in flight; counted every ten seconds.',
      registers,
    }),
    webhookOldestReadyDelivery: new Gauge({
      name: 'havn_webhook_oldest_ready_delivery_seconds',
      help: 'Time since the oldest waiting delivery became ready, in seconds.',
      registers,
    }),
    failedWebhookDeliveries: new Counter({
      name: 'havn_webhook_deliveries_failed_total',
      help: 'Deliveries that ended without success: Failed after the last attempt or a permanent error, Refused because of their URL.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookInternalErrors: new Counter({
      name: 'havn_webhook_internal_errors_total',
      help: 'Attempts that could not be sent because of an internal error, such as a secret that cannot be decrypted.',
      registers,
    }),
  }
}

/** Work that waits for an operator or a renewal. */
function openWorkMetrics(registers: Registry[]) {
  return {
    openTasks: new Gauge({
      name: 'havn_operator_tasks_open',
      help: 'Open operator tasks, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    expiringConsents: new Gauge({
      name: 'havn_consents_expiring',
      help: 'Consents that expire within seven days and have not been renewed, by bank.',
      labelNames: ['bank'],
      registers,
    }),
  }
}

/** The database, the connection pool of the process, and its clock compared with that of the database. */
function databaseMetrics(registers: Registry[]) {
  return {
    databaseUp: new Gauge({
      name: 'havn_database_up',
      help: 'Whether the database answered when the metrics were read: 1, otherwise 0.',
      registers,
    }),
    databaseConnections: new Gauge({
      name: 'havn_database_connections',
      help: 'Open connections of the pool to the database, by state: used or idle.',
      labelNames: ['state'],
      registers,
    }),
    databaseConnectionsMax: new Gauge({
      name: 'havn_database_connections_max',
      help: 'Connections that the pool may open: HAVN_DATABASE_CONNECTIONS_MAX.',
      registers,
    }),
    databaseConnectionsWaiting: new Gauge({
      name: 'havn_database_connections_waiting',
      help: 'Statements that wait for a connection of the pool.',
      registers,
    }),
    clockDifference: new Gauge({
      name: 'havn_clock_difference_seconds',
      help: 'How far the clock of this process is ahead of that of the database, in seconds; negative when behind.',
      registers,
    }),
  }
}
