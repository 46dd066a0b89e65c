/** The metrics of FX deals and their funds. */
import type { Registry } from 'prom-client'
import { metricFactory } from '../platform/observability/metrics.ts'

/** Adds them to the registry of a process. */
export function dealMetrics(registry: Registry) {
  const { gauge } = metricFactory(registry)
  return {
    openDeals: gauge('havn_fx_deals_open', 'Open FX deals, by state.', ['state']),
    unwindingDeals: gauge(
      'havn_fx_unwinding_oldest_seconds',
      'Time since the oldest failed FX deal that is not cancelled at its provider yet, in seconds.',
    ),
    unallocatedReceipts: gauge(
      'havn_fx_inbound_funds_held',
      'Inbound funds at FX providers that are neither matched to a deal nor returned.',
    ),
  }
}
