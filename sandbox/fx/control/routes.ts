/** Routes of the control API, which tests and the gateway's sandbox use to control the provider. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { emptyUnderLoad } from '../../../gateway/platform/database/empty-under-load.ts'
import { clockRoutes, resetClock } from '../../business-clock.ts'
import { guardControlScope, requireStorableTexts } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { faultRoutes, updatePort } from '../../fault-routes.ts'
import type { Context } from '../context.ts'
import { BUSINESS_FAULTS, CALL_FAULTS } from '../faults.ts'
import { conversionControl } from './conversion-control.ts'
import { inboundFundsControl } from './inbound-funds-control.ts'

const Fault = Type.Object(
  {
    effect: Type.Union([...CALL_FAULTS, ...BUSINESS_FAULTS].map((effect) => Type.Literal(effect))),
    operation: Type.Optional(Type.String({ maxLength: 100 })),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    milliseconds: Type.Optional(Type.Integer({ minimum: 0 })),
    seconds: Type.Optional(Type.Integer({ minimum: 0 })),
    amount: Type.Optional(Type.String({ pattern: '^[0-9]{1,12}(\\.[0-9]{1,4})?$' })),
  },
  { additionalProperties: false },
)
const Limits = Type.Object({ perMinute: Type.Integer({ minimum: 0 }) }, { additionalProperties: false })
const NoticeAddress = Type.Object({ url: Type.Union([Type.String(), Type.Null()]) }, { additionalProperties: false })

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
  scope.post<{ Body: Static<typeof Limits> }>('/limits', { schema: { body: Limits } }, ({ body }) => {
    Object.assign(context.limits, { perMinute: body.perMinute, since: null, taken: 0 })
    return body
  })
  scope.post<{ Body: Static<typeof NoticeAddress> }>(
    '/notice-address',
    { schema: { body: NoticeAddress } },
    ({ body }) => {
      context.notices.url = body.url
      return body
    },
  )
}

/** Empties the tables, and resets the clock and the faults. */
async function reset(context: Context): Promise<void> {
  await context.faults.clear()
  await updatePort(context)
  const emptying = sql`truncate quotes, conversions, beneficiaries, payments, arrivals, transactions, notices`
  await emptyUnderLoad(() => emptying.execute(context.database.query))
  await resetClock(context)
}
