/** The metrics of FX deals and their funds. */
import { Gauge, type Registry } from 'prom-client'

/** Adds them to the registry of a process. */
export function dealMetrics(registry: Registry) {
  const registers = [registry]
  return {
    openDeals: new Gauge({
      name: 'havn_fx_deals_open',
      help: 'Open FX deals, by state.',
      labelNames: ['state'],
      registers,
    }),
    unwindingDeals: new Gauge({
      name: 'havn_fx_unwinding_oldest_seconds',
      help: 'Time since the oldest failed FX deal that is not cancelled at its provider yet, in seconds.',
      registers,
    }),
    unallocatedReceipts: new Gauge({
      name: 'havn_fx_inbound_funds_held',
      help: 'Inbound funds at FX providers that are neither matched to a deal nor returned.',
      registers,
    }),
  }
}
