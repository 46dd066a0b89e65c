/** Counts and measures for Prometheus; one registry a process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Everything the program measures. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly bankCalls: Histogram<'bank' | 'operation' | 'outcome'>
  readonly sweeps: Histogram<'sweep'>
  readonly sweepFailures: Counter<'sweep'>
  readonly openTasks: Gauge<'kind'>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Makes the measures of a process; `processMetrics` adds memory, event loop and garbage collection. */
export function openMetrics({ processMetrics }: { readonly processMetrics: boolean }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (processMetrics) {
    collectDefaultMetrics({ register: registry })
  }
  return {
    registry,
    requests: new Histogram({
      name: 'havn_request_seconds',
      help: 'How long requests took, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    bankCalls: new Histogram({
      name: 'havn_bank_call_seconds',
      help: 'How long calls to banks took, by bank, operation and outcome (an HTTP status, or unreachable).',
      labelNames: ['bank', 'operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    sweeps: new Histogram({
      name: 'havn_sweep_seconds',
      help: 'How long a round of a sweep took that found something to do.',
      labelNames: ['sweep'],
      buckets: SECONDS,
      registers,
    }),
    sweepFailures: new Counter({
      name: 'havn_sweep_failures_total',
      help: 'Rounds of a sweep that failed and will be tried again.',
      labelNames: ['sweep'],
      registers,
    }),
    openTasks: new Gauge({
      name: 'havn_operator_tasks_open',
      help: 'Operator tasks that wait for a person, by kind.',
      labelNames: ['kind'],
      registers,
    }),
  }
}
