/** Opens the metrics of all modules, in the registry of a process. */
import type { Context } from '../../gateway/context.ts'
import { dealMetrics } from '../../gateway/fx/deal-metrics.ts'
import { orderMetrics } from '../../gateway/orders/status/order-metrics.ts'
import { openMetrics } from '../../gateway/platform/observability/metrics.ts'

export function openMetricsOfModules(options: Parameters<typeof openMetrics>[0]): Context['metrics'] {
  const metrics = openMetrics(options)
  return { ...metrics, ...dealMetrics(metrics.registry), ...orderMetrics(metrics.registry) }
}
