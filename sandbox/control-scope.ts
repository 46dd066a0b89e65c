/** What the control APIs of the sandbox's programs have in common: their errors, and that no other site calls them. */
import type { FastifyInstance } from 'fastify'
import type { Log } from '../gateway/platform/observability/log.ts'

/** Thrown by control routes; rendered as `{message}` with the status. */
export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}

/** All responses of the scope are JSON, also those of errors. */
export function guardControlScope(scope: FastifyInstance, log: Log): void {
  scope.addHook('onRequest', async ({ headers }) => {
    // Rejects cross-site requests of a browser on this machine.
    const site = headers['sec-fetch-site']
    if (site === 'cross-site' || site === 'same-site') {
      throw new ControlError(403, 'The control API is not for other sites')
    }
  })
  scope.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof ControlError ? error.status : statusOfError(error)
    if (status >= 500) {
      log.error({ err: error }, 'a control call failed')
    }
    return reply.code(status).send({ message: error instanceof Error ? error.message : 'Failed' })
  })
}

/** The status of an error of the framework; 500 for any other. */
export function statusOfError(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : 500
}
