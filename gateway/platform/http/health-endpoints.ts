/** Serves the endpoints of load balancers, operators and monitoring: `/healthz`, `/readyz`, `/metrics`. */
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../observability/metrics.ts'

/** The headers of requests that proxies must pass on. */
const REPORTED_HEADERS = [
  'authorization',
  'consent-id',
  'idempotency-key',
  'psu-ip-address',
  'psu-user-agent',
  'prefer',
] as const

/** The checks and metrics to serve. */
export type Health = {
  readonly metrics: Metrics
  /** Returns the state of its database. Throws when the program is not ready. */
  readonly isReady: () => Promise<string>
  /** Further details for operators while the program is ready. */
  readonly details?: () => object
  /** Updates gauges that are read rather than counted. */
  readonly beforeMetrics?: () => Promise<void>
}

/** Registers the endpoints for operators: also why the program is not ready, and its metrics. */
export function serveHealth(server: FastifyInstance, { metrics, isReady, details, beforeMetrics }: Health): void {
  servePublicHealth(server, isReady, {
    ready: (database) => ({ database, ...details?.() }),
    notReady: (error) => ({ reason: error instanceof Error ? error.message : 'unknown' }),
  })
  server.get('/metrics', async (_request, reply) => {
    await beforeMetrics?.()
    return reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** Registers the public endpoints: liveness and readiness, without internal details unless `report` adds them. */
export function servePublicHealth(
  server: FastifyInstance,
  isReady: Health['isReady'],
  report?: { ready(database: string): object; notReady(error: unknown): object },
): void {
  server.get('/healthz', async () => ({ status: 'alive' }))
  // Shows what proxies pass on: names that the sender knows, and how many addresses were added.
  server.get('/healthz/request', async ({ headers }) => ({
    headers: REPORTED_HEADERS.filter((name) => headers[name] !== undefined),
    forwardedFor: [headers['x-forwarded-for'] ?? []].flat().flatMap((line) => line.split(',')).length,
  }))
  server.get('/readyz', async (_request, reply) => {
    try {
      const database = await isReady()
      return { status: 'ready', ...report?.ready(database) }
    } catch (error) {
      return reply.code(503).send({ status: 'not ready', ...report?.notReady(error) })
    }
  })
}
