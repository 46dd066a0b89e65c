/** Composes the operators' server, which every process has. */

import type { FastifyInstance } from 'fastify'
import { certificateDetails } from '../../gateway/banks/certificates/certificate-warnings.ts'
import { updateBankMetrics } from '../../gateway/banks/directory/bank-directory.ts'
import { updateConsentMetrics } from '../../gateway/consents/expiry/list-expiring-consents.ts'
import type { Context } from '../../gateway/context.ts'
import { updateDealMetrics } from '../../gateway/fx/deals/get-deal.ts'
import { updateFailedRowMetrics } from '../../gateway/operators/failed-row-tasks.ts'
import { updateTaskMetrics } from '../../gateway/operators/raise-task.ts'
import { paymentMetricsCollector, registerPayrollMetrics } from '../../gateway/orders/status/payment-metrics.ts'
import { updateDatabaseMetrics } from '../../gateway/platform/database/database-metrics.ts'
import { serveHealth } from '../../gateway/platform/http/health-endpoints.ts'
import { openServer } from '../../gateway/platform/http/server.ts'
import { readiness } from '../../gateway/readiness.ts'
import { openDeliveryMetrics } from '../../gateway/webhooks/deliveries/delivery-metrics.ts'
import { connectionSettings } from './connection-settings.ts'

/** A server for operators only: health and metrics. */
export function composeOperatorServer(context: Context): FastifyInstance {
  const server = openServer({
    log: context.log,
    baseUrl: context.config.baseUrl,
    trustProxy: 0,
    connections: connectionSettings(context),
  })
  serveHealthAndMetrics(server, context)
  return server
}

export function serveHealthAndMetrics(server: FastifyInstance, context: Context): void {
  const { metrics } = context
  const [measurePayments, measureDeliveries] = [paymentMetricsCollector(context), openDeliveryMetrics(context)]
  const beforeMetrics = async () => {
    if (!(await updateDatabaseMetrics(context))) {
      // What is read from the database stays as it was: the metrics of the process are needed all the more.
      return
    }
    await Promise.all([
      updateTaskMetrics(context),
      updateFailedRowMetrics(context),
      updateBankMetrics(context),
      updateConsentMetrics(context),
      updateDealMetrics(context),
      registerPayrollMetrics(context),
      measurePayments(),
      measureDeliveries(),
    ])
  }
  const details = () => certificateDetails(context.certificates, context.clock)
  serveHealth(server, { metrics, isReady: readiness(context), details, beforeMetrics })
}
