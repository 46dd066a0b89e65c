/** Routes of the control API, which tests and the gateway's sandbox use to control the provider. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { ControlError } from '../../bank/control/control-error.ts'
import { faultRoutes, updatePort } from '../../fault-routes.ts'
import { requireStorableTexts } from '../../require-storable-texts.ts'
import { moveClock, resetClock } from '../clock-store.ts'
import type { Context } from '../context.ts'
import { BUSINESS_FAULTS, CALL_FAULTS } from '../faults.ts'
import type { Sweep } from '../sweep.ts'
import { conversionControl } from './conversion-control.ts'
import { inboundFundsControl } from './inbound-funds-control.ts'

const ClockMove = Type.Object({ now: Type.Optional(Type.String()), reset: Type.Optional(Type.Literal(true)) })
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
  scope.addHook('onRequest', async ({ headers }) => {
    // Rejects cross-site requests of a browser on this machine.
    const site = headers['sec-fetch-site']
    if (site === 'cross-site' || site === 'same-site') {
      throw new ControlError(403, 'The control API is not for other sites')
    }
  })
  scope.addHook('preValidation', requireStorableTexts)
  scope.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof ControlError ? error.status : statusOf(error)
    if (status >= 500) {
      context.log.error({ err: error }, 'a control call failed')
    }
    return reply.code(status).send({ message: error instanceof Error ? error.message : 'Failed' })
  })
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
  await sql`truncate quotes, conversions, beneficiaries, payments, arrivals, transactions, notices`.execute(
    context.database.query,
  )
  await resetClock(context)
}

function clockRoutes(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  const read = async () => ({
    now: context.clock.now().toString(),
    nextDueAt: (await sweep.nextDueAt())?.toString() ?? null,
  })
  scope.get('/clock', read)
  scope.post<{ Body: Static<typeof ClockMove> }>('/clock', { schema: { body: ClockMove } }, async ({ body }) => {
    const target = body.reset === true ? null : parseInstant(body.now)
    await sweep.runExclusive(() => (target === null ? resetClock(context) : moveClock(context, target)))
    await sweep.runUntilIdle()
    return await read()
  })
}

function parseInstant(text: string | undefined): Temporal.Instant {
  try {
    return Temporal.Instant.from(text ?? '')
  } catch {
    throw new ControlError(400, 'Say {"now": "<ISO instant>"} or {"reset": true}')
  }
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : 500
}
