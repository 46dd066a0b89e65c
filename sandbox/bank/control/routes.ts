/** Routes of the control API, which tests and the gateway's sandbox use to control the bank. */
import type { FastifyInstance } from 'fastify'
import { isId } from '../../../gateway/platform/ids.ts'
import type { BankContext } from '../bank-context.ts'
import type { Sweep } from '../sweep.ts'
import { accountControl } from './account-control.ts'
import { authorisationControl } from './authorisation-control.ts'
import { bankControl } from './bank-control.ts'
import { browserControl } from './browser-control.ts'
import { bulkControl } from './bulk-control.ts'
import { clockControl } from './clock-control.ts'
import { consentControl } from './consent-control.ts'
import { ControlError } from './control-error.ts'
import { entryControl } from './entry-control.ts'
import { fixtureControl } from './fixture-control.ts'
import { paymentControl } from './payment-control.ts'
import { tokenControl } from './token-control.ts'

/** Registers the routes outside the pages' error handler: all responses are JSON. */
export function controlRoutes(context: BankContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request) => {
    // Rejects cross-site requests of a browser on this machine.
    const site = request.headers['sec-fetch-site']
    if (site === 'cross-site' || site === 'same-site') {
      throw new ControlError(403, 'The control API is not for other sites')
    }
  })
  scope.addHook('preHandler', async (request) => {
    const { params } = request
    if (typeof params === 'object' && params !== null && 'id' in params && !isId(String(params.id))) {
      throw new ControlError(404, 'No such id')
    }
  })
  scope.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof ControlError ? error.status : statusOf(error)
    if (status >= 500) {
      context.log.error({ err: error }, 'a control call failed')
    }
    return reply.code(status).send({ message: error instanceof Error ? error.message : 'Failed' })
  })
  clockControl(context, sweep, scope)
  paymentControl(context, sweep, scope)
  bulkControl(context, sweep, scope)
  authorisationControl(context, scope)
  browserControl(context, scope)
  consentControl(context, scope)
  accountControl(context, sweep, scope)
  entryControl(context, sweep, scope)
  bankControl(context, sweep, scope)
  tokenControl(context, scope)
  fixtureControl(context, scope)
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : 500
}
