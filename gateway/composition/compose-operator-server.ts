/** Puts together the server for operators, which every process has. */
import type { FastifyInstance } from 'fastify'
import { certificateDetails } from '../banks/certificates/certificate-expiry.ts'
import { measureBanks } from '../banks/directory/bank-metrics.ts'
import { measureConsents } from '../consents/consent-metrics.ts'
import { measureDeals } from '../fx/deals/deal-metrics.ts'
import type { GatewayContext } from '../gateway-context.ts'
import { measureTasks } from '../operators/task-metrics.ts'
import { paymentMeasure } from '../orders/status/payment-metrics.ts'
import { measurePayrolls } from '../payrolls/payroll-metrics.ts'
import { serveHealth } from '../platform/http/health-endpoints.ts'
import { openServer } from '../platform/http/server.ts'
import { readiness } from '../readiness.ts'
import { deliveryMeasure } from '../webhooks/deliveries/delivery-metrics.ts'
import { connectionSettings } from './connection-settings.ts'

/** A server for operators' eyes only: how the process is, and what it measures. */
export function composeOperatorServer(context: GatewayContext): FastifyInstance {
  const server = openServer({ log: context.log, trustProxy: 0, connections: connectionSettings(context) })
  serveOperatorsHealth(server, context)
  return server
}

/** How the process is, and what it measures. */
export function serveOperatorsHealth(server: FastifyInstance, context: GatewayContext): void {
  const { metrics } = context
  const [measurePayments, measureDeliveries] = [paymentMeasure(context), deliveryMeasure(context)]
  const beforeMetrics = async () => {
    const [tasks, banks, consents] = [measureTasks(context), measureBanks(context), measureConsents(context)]
    const [deals, payrolls] = [measureDeals(context), measurePayrolls(context)]
    await Promise.all([tasks, banks, consents, deals, payrolls, measurePayments(), measureDeliveries()])
  }
  const details = () => certificateDetails(context)
  serveHealth(server, { metrics, isReady: readiness(context), details, beforeMetrics })
}
