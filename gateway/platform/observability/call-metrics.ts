/** Creates the metrics of inbound requests and outbound calls. */
import { Counter, Histogram, type Registry } from 'prom-client'

/** The buckets of durations. */
export const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Inbound requests. */
export function serverMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'havn_request_seconds',
      help: 'Duration of requests, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    rejectedConnections: new Counter({
      name: 'havn_connections_rejected_total',
      help: 'Connections that were closed without a response because of a connection limit, by limit: total or address.',
      labelNames: ['limit'],
      registers,
    }),
    droppedLogRows: new Counter({
      name: 'havn_log_rows_dropped_total',
      help: 'Rows of a log of calls that were not stored because its buffer was full or the database failed, by log.',
      labelNames: ['log'],
      registers,
    }),
  }
}

/** Outbound calls and their durations. */
export function callMetrics(registers: Registry[]) {
  return {
    bankCalls: new Histogram({
      name: 'havn_bank_call_seconds',
      help: 'Duration of calls to banks, by bank, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['bank', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    registryCalls: new Histogram({
      name: 'havn_registry_call_seconds',
      help: 'Duration of calls to company registries, by registry, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['registry', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    fxCalls: new Histogram({
      name: 'havn_fx_call_seconds',
      help: 'Duration of calls to FX providers, by provider, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['provider', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
  }
}
