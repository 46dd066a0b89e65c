/** Routes of the control API, which tests and the gateway's sandbox use to control the provider: faults, limits, inbound funds. */

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { emptyUnderLoad } from '../../../gateway/platform/database/empty-under-load.ts'
import { newId } from '../../../gateway/platform/ids.ts'
import { clockRoutes, resetClock } from '../../business-clock.ts'
import { ControlError, guardControlScope, onPost, requireFound, requireStorableTexts } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { faultRoutes, updatePort } from '../../fault-routes.ts'
import { EVERY_ROW, listRows } from '../books/rows.ts'
import { type Context, inTransaction } from '../context.ts'
import { Fault } from '../faults.ts'
import { fundingAccountAt, receiveInboundFunds } from '../funds/receive-inbound-funds.ts'
import { formatAmount, parseAmount, requireCurrency } from '../market/market.ts'
import type { InboundFunds } from '../tables.ts'
import { conversionControl } from './conversion-control.ts'

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

const Text = Type.Optional(Type.String({ maxLength: 500 }))
const OptionalText = Type.Optional(Type.Union([Type.String({ maxLength: 70 }), Type.Null()]))
const Sent = closed({
  /** The sending bank's id of the payment; a repeated report is ignored. */
  origin: Text,
  iban: Type.String({ maxLength: 34 }),
  amount: Type.String({ maxLength: 20 }),
  reference: Text,
  senderName: Text,
  senderAddress: Text,
  senderCountry: Text,
  senderIban: OptionalText,
  senderAccountNumber: OptionalText,
  senderBic: OptionalText,
})
type Sent = Static<typeof Sent>

function inboundFundsControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/arrivals', async () => {
    const { rows } = await listRows(context, 'arrivals', EVERY_ROW)
    return rows.map(describe)
  })
  onPost(scope, '/arrivals', Sent, async (sent) => {
    const made = await sweep.runExclusive(() => take(context, sent))
    await sweep.runUntilIdle()
    return made.map(describe)
  })
}

async function take(context: Context, sent: Sent): Promise<readonly InboundFunds[]> {
  const account = requireFound(fundingAccountAt(sent.iban), 'The provider has no such account')
  const { currency } = account
  const minor = parseAmount(sent.amount, requireCurrency(currency))
  if (typeof minor !== 'bigint' || minor === 0n) {
    throw new ControlError(400, `${JSON.stringify(sent.amount)} is no amount in ${currency}`)
  }
  const sender = {
    name: sent.senderName ?? 'Unknown',
    address: sent.senderAddress ?? '',
    country: sent.senderCountry ?? account.country,
    iban: sent.senderIban ?? null,
    accountNumber: sent.senderAccountNumber ?? null,
    bic: sent.senderBic ?? null,
  }
  const money = { iban: sent.iban, currency, minor, reference: sent.reference ?? '', sender }
  return await inTransaction(context, (context) =>
    receiveInboundFunds(context, { ...money, origin: sent.origin ?? newId() }, context.clock.now()),
  )
}

function describe(arrival: InboundFunds): object {
  return {
    id: arrival.id,
    origin: arrival.origin,
    iban: arrival.receiver_iban,
    amount: formatAmount(arrival.amount_minor, arrival.currency),
    currency: arrival.currency,
    reference: arrival.reference,
    senderName: arrival.sender.name,
    conversionId: arrival.conversion_id,
    status: arrival.status,
    dueAt: arrival.due_at?.toString() ?? null,
  }
}
