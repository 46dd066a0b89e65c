/** Counts and measures for Prometheus; one registry a process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** How often the delay of the event loop is sampled: each sample wakes the process, which the usual 10 ms do 100 times a second. */
const LOOP_DELAY_EVERY_MILLISECONDS = 50

/** Everything the program measures. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly refusedConnections: Counter<'limit'>
  readonly bankCalls: Histogram<'bank' | 'operation' | 'outcome'>
  readonly registryCalls: Histogram<'registry' | 'operation' | 'outcome'>
  readonly fxCalls: Histogram<'provider' | 'operation' | 'outcome'>
  readonly openDeals: Gauge<'state'>
  readonly undoingDeals: Gauge
  readonly heldReceipts: Gauge
  readonly sweeps: Histogram<'sweep'>
  readonly sweepFailures: Counter<'sweep'>
  readonly openTasks: Gauge<'kind'>
  readonly webhookAttempts: Histogram<'outcome'>
  readonly webhooksReady: Gauge
  readonly webhookOldestReady: Gauge
  readonly webhooksGivenUp: Counter<'outcome'>
  readonly webhookFaults: Counter
  readonly expiringConsents: Gauge<'bank'>
  readonly openPayments: Gauge<'status' | 'age'>
  readonly openPayrolls: Gauge<'state'>
  readonly idlePayroll: Gauge
  readonly readsBehind: Gauge
  readonly bankStatus: Gauge<'bank' | 'status'>
  readonly certificateExpiry: Gauge<'certificate'>
  readonly identityRefusals: Counter<'bank' | 'code'>
  readonly unreadableFiles: Counter<'bank'>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Makes the measures of a process; `processMetrics` adds memory, event loop and garbage collection. */
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
    ...fxMetrics(registers),
    ...sweepMetrics(registers),
    ...webhookMetrics(registers),
    ...openWorkMetrics(registers),
    ...bankMetrics(registers),
  }
}

/** What comes in. */
function serverMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'havn_request_seconds',
      help: 'How long requests took, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    refusedConnections: new Counter({
      name: 'havn_connections_refused_total',
      help: 'Connections that were closed unanswered because too many were open, by the limit: total or address.',
      labelNames: ['limit'],
      registers,
    }),
  }
}

/** What goes out, and how long the others take. */
function callMetrics(registers: Registry[]) {
  return {
    bankCalls: new Histogram({
      name: 'havn_bank_call_seconds',
      help: 'How long calls to banks took, by bank, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['bank', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    registryCalls: new Histogram({
      name: 'havn_registry_call_seconds',
      help: 'How long company registries took, by registry, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['registry', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    fxCalls: new Histogram({
      name: 'havn_fx_call_seconds',
      help: 'How long providers of exchange took, by provider, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['provider', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
  }
}

/** Deals of exchange, and the money for them. */
function fxMetrics(registers: Registry[]) {
  return {
    openDeals: new Gauge({
      name: 'havn_fx_deals_open',
      help: 'Deals of exchange that have not ended, by state.',
      labelNames: ['state'],
      registers,
    }),
    undoingDeals: new Gauge({
      name: 'havn_fx_undoing_oldest_seconds',
      help: 'For how long the deal has waited that was broken first and is not undone at its provider yet.',
      registers,
    }),
    heldReceipts: new Gauge({
      name: 'havn_fx_receipts_held',
      help: 'Money that arrived at providers and neither funds a deal nor is back where it came from.',
      registers,
    }),
  }
}

/** The rounds of sweeps. */
function sweepMetrics(registers: Registry[]) {
  return {
    sweeps: new Histogram({
      name: 'havn_sweep_seconds',
      help: 'How long a round of a sweep took that found something to do.',
      labelNames: ['sweep'],
      buckets: SECONDS,
      registers,
    }),
    sweepFailures: new Counter({
      name: 'havn_sweep_failures_total',
      help: 'Rounds and rows of a sweep that failed and will be tried again.',
      labelNames: ['sweep'],
      registers,
    }),
  }
}

/** Deliveries of webhooks. */
function webhookMetrics(registers: Registry[]) {
  return {
    webhookAttempts: new Histogram({
      name: 'havn_webhook_attempt_seconds',
      help: 'How long attempts at deliveries took, by what the delivery was afterwards (Queued: it is tried again).',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    webhooksReady: new Gauge({
      name: 'havn_webhooks_ready',
      help: 'Deliveries that wait for their attempt, those under way included; counted every ten seconds.',
      registers,
    }),
    webhookOldestReady: new Gauge({
      name: 'havn_webhook_oldest_ready_seconds',
      help: 'For how long the delivery that has waited longest for its attempt has been ready.',
      registers,
    }),
    webhooksGivenUp: new Counter({
      name: 'havn_webhooks_given_up_total',
      help: 'Deliveries that ended without success: Failed after the last attempt or for a final answer, Refused for their address.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookFaults: new Counter({
      name: 'havn_webhook_faults_total',
      help: 'Attempts that could not be sent for a fault of ours, such as a secret that cannot be opened.',
      registers,
    }),
  }
}

/** What waits for an operator, a renewal, a bank or its end. */
function openWorkMetrics(registers: Registry[]) {
  return {
    openTasks: new Gauge({
      name: 'havn_operator_tasks_open',
      help: 'Operator tasks that wait for a person, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    expiringConsents: new Gauge({
      name: 'havn_consents_expiring',
      help: 'Consents that end within seven days and have not been renewed, by bank.',
      labelNames: ['bank'],
      registers,
    }),
    openPayments: new Gauge({
      name: 'havn_payments_open',
      help: 'Payments without an end, by status and by the time since their last change; counted once a minute.',
      labelNames: ['status', 'age'],
      registers,
    }),
    openPayrolls: new Gauge({
      name: 'havn_payrolls_open',
      help: 'Payrolls that are not at their bank as a whole: placing, or failing while what is there is withdrawn.',
      labelNames: ['state'],
      registers,
    }),
    idlePayroll: new Gauge({
      name: 'havn_payroll_idle_oldest_seconds',
      help: 'Since when the oldest payroll was ordered that is to be placed and that no process is placing.',
      registers,
    }),
    readsBehind: new Gauge({
      name: 'havn_payment_reads_behind_seconds',
      help: 'For how long the payment that has waited longest for its read at the bank has been due.',
      registers,
    }),
  }
}

/** Banks, what they know us by, and what they put out for us. */
function bankMetrics(registers: Registry[]) {
  return {
    bankStatus: new Gauge({
      name: 'havn_bank_status',
      help: 'The status of each enabled bank: 1 for the one that it has (Operational, Degraded, Down; Paused besides).',
      labelNames: ['bank', 'status'],
      registers,
    }),
    certificateExpiry: new Gauge({
      name: 'havn_certificate_expiry_timestamp_seconds',
      help: 'When the certificate by which banks know us expires, in seconds since 1970: QWAC for connections, QSEAL for messages.',
      labelNames: ['certificate'],
      registers,
    }),
    identityRefusals: new Counter({
      name: 'havn_bank_identity_refusals_total',
      help: 'Calls that a bank refused for our certificate, signature or role, by the code that it gave.',
      labelNames: ['bank', 'code'],
      registers,
    }),
    unreadableFiles: new Counter({
      name: 'havn_bank_files_unreadable_total',
      help: 'Files that a bank has put out for us and that cannot be read by themselves, each counted once.',
      labelNames: ['bank'],
      registers,
    }),
  }
}
