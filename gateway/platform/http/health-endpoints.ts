/** Serves what load balancers, operators and their tools look at: `/healthz`, `/readyz`, `/metrics`. */
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../observability/metrics.ts'

/** What is served. */
export type Health = {
  readonly metrics: Metrics
  /** Throws what keeps the program from doing its work. */
  readonly isReady: () => Promise<void>
  /** What operators should know besides, while the program does its work. */
  readonly details?: () => object
  /** Brings measures up to date that are read rather than counted. */
  readonly beforeMetrics?: () => Promise<void>
}

/** Registers what operators may see: also why the program is not ready, and what it measures. */
export function serveHealth(server: FastifyInstance, { metrics, isReady, details, beforeMetrics }: Health): void {
  const explain = (error: unknown) => ({ reason: error instanceof Error ? error.message : 'unknown' })
  serveReadiness(server, isReady, { explain, details: details ?? (() => ({})) })
  server.get('/metrics', async (_request, reply) => {
    await beforeMetrics?.()
    return reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** Registers what anybody may see: whether the program lives and is ready, and nothing of its innards. */
export function servePublicHealth(server: FastifyInstance, { isReady }: Pick<Health, 'isReady'>): void {
  serveReadiness(server, isReady, { explain: () => ({}), details: () => ({}) })
}

function serveReadiness(
  server: FastifyInstance,
  isReady: Health['isReady'],
  told: { explain(error: unknown): { readonly reason?: string }; details(): object },
): void {
  server.get('/healthz', async () => ({ status: 'alive' }))
  server.get('/readyz', async (_request, reply) => {
    try {
      await isReady()
      return { status: 'ready', ...told.details() }
    } catch (error) {
      return reply.code(503).send({ status: 'not ready', ...told.explain(error) })
    }
  })
}
