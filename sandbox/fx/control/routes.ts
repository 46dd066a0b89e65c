/** Routes of the control API, which tests and the gateway's sandbox use to control the provider. */

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { emptyUnderLoad } from '../../../gateway/platform/database/empty-under-load.ts'
import { clockRoutes, resetClock } from '../../business-clock.ts'
import { closed } from '../../closed-schema.ts'
import { guardControlScope, onPost, requireStorableTexts } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { faultRoutes, updatePort } from '../../fault-routes.ts'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { conversionControl } from './conversion-control.ts'
import { inboundFundsControl } from './inbound-funds-control.ts'

const Limits = closed({ perMinute: Type.Integer({ minimum: 0 }) })
const NoticeAddress = closed({ url: Type.Union([Type.String(), Type.Null()]) })

export function controlRoutes(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  guardControlScope(scope, context.log)
  scope.addHook('preValidation', requireStorableTexts)
  clockRoutes(context, sweep, scope)
  faultRoutes(context, Fault, scope)
  scope.post('/reset', async () => {
    await sweep.runExclusive(() => reset(context))
    return {}
  })
  conversionControl(context, sweep, scope)
  inboundFundsControl(context, sweep, scope)
  scope.get('/calls', () => Object.fromEntries(context.calls))
  scope.delete('/sessions', () => {
    context.sessions.deleteAll()
    return {}
  })
  onPost(scope, '/limits', Limits, (limits) => {
    Object.assign(context.limits, { ...limits, since: null, taken: 0 })
    return limits
  })
  onPost(scope, '/notice-address', NoticeAddress, (address) => Object.assign(context.notices, address))
}

/** Empties the tables, and resets the clock and the faults. */
async function reset(context: Context): Promise<void> {
  await context.faults.clear()
  await updatePort(context)
  const emptying = sql`truncate quotes, conversions, beneficiaries, payments, arrivals, transactions, notices`
  await emptyUnderLoad(() => emptying.execute(context.database.query))
  await resetClock(context)
}
