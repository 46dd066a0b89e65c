/** Control API for faults, and for the bank's whole database. */

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { emptyUnderLoad } from '../../../gateway/platform/database/empty-under-load.ts'
import { resetClock } from '../../business-clock.ts'
import { ControlError } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { accountRoutes } from '../accounts/routes.ts'
import { basketRoutes } from '../baskets/routes.ts'
import { consentRoutes } from '../consents/routes.ts'
import type { Context } from '../context.ts'
import { FAULT_EFFECTS } from '../faults.ts'
import { bankByBic } from '../fixture-lookup.ts'
import { openAccounts } from '../ledger/open-accounts.ts'
import { paymentRoutes } from '../payments/routes.ts'
import { MALFORMED_MODES } from '../xs2a/malform-answer.ts'

/** As an operation of a fault: it applies to all of them. */
const EVERY_OPERATION = '*'

const Fault = Type.Object(
  {
    bank: Type.String(),
    operation: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
    effect: Type.Union(FAULT_EFFECTS.map((effect) => Type.Literal(effect))),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    milliseconds: Type.Optional(Type.Integer({ minimum: 0 })),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    /** Null: the answer names no error. */
    code: Type.Optional(Type.Union([Type.String({ pattern: '^[A-Z_]{1,50}$' }), Type.Null()])),
    body: Type.Optional(Type.String({ maxLength: 10_000 })),
    contentType: Type.Optional(Type.String({ pattern: '^[ -~]{1,100}$' })),
    retryAfter: Type.Optional(Type.String({ pattern: '^[ -~]{0,100}$' })),
    resource: Type.Optional(Type.String({ minLength: 1 })),
    mode: Type.Optional(Type.Union(MALFORMED_MODES.map((mode) => Type.Literal(mode)))),
    fields: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    value: Type.Optional(Type.String({ maxLength: 1_000 })),
    page: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)

/** All faults, or those of a bank and with an effect. */
const FaultQuery = Type.Object(
  { bank: Type.Optional(Type.String()), effect: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

const Revocation = Type.Object(
  { serialNumber: Type.String({ pattern: '^[0-9a-fA-F]{1,40}$' }) },
  { additionalProperties: false },
)

export function bankControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  const operations = operationNames(context)
  scope.get('/faults', () => context.faults.list())
  scope.post<{ Body: Static<typeof Fault> }>('/faults', { schema: { body: Fault } }, async ({ body }) => {
    if (bankByBic(context.fixture, body.bank) === undefined) {
      throw new ControlError(400, `There is no bank ${body.bank}`)
    }
    const unknown = [body.operation].flat().find((operation) => !operations.has(operation))
    if (unknown !== undefined) {
      throw new ControlError(400, `There is no operation ${unknown}; they are ${[...operations].join(', ')}`)
    }
    requirePossible(body)
    await context.faults.add(body)
    await context.ports.update()
    return context.faults.list()
  })
  scope.delete<{ Querystring: Static<typeof FaultQuery> }>(
    '/faults',
    { schema: { querystring: FaultQuery } },
    async ({ query: { bank, effect } }) => {
      await context.faults.remove(
        (fault) => (bank === undefined || fault.bank === bank) && (effect === undefined || fault.effect === effect),
      )
      await context.ports.update()
      return context.faults.list()
    },
  )
  scope.get('/revoked-certificates', () => [...context.revoked])
  scope.post<{ Body: Static<typeof Revocation> }>(
    '/revoked-certificates',
    { schema: { body: Revocation } },
    ({ body }) => {
      context.revoked.add(BigInt(`0x${body.serialNumber}`).toString(16))
      return [...context.revoked]
    },
  )
  scope.delete('/revoked-certificates', () => {
    context.revoked.clear()
    return [...context.revoked]
  })
  scope.post('/reset', async () => {
    await sweep.runExclusive(() => reset(context))
    return {}
  })
}

/** A closed port is closed for every call. */
function requirePossible({ bank, effect, operation, ...limits }: Static<typeof Fault>): void {
  if (effect === 'down' && (![operation].flat().includes(EVERY_OPERATION) || Object.keys(limits).length > 0)) {
    throw new ControlError(
      400,
      `${bank} can be down for all calls only: operation *, without other limits, until the fault is cleared. ` +
        'The effect drop-request cuts the connections of some calls before any work',
    )
  }
}

/** The operations of XS2A to which faults can apply. */
function operationNames(context: Context): ReadonlySet<string> {
  const routes = [paymentRoutes, consentRoutes, accountRoutes, basketRoutes].flatMap((of) => of(context))
  return new Set([EVERY_OPERATION, ...routes.map(({ operation }) => operation)])
}

/** Resets the tables, the clock and the faults, and opens the fixture's accounts. */
async function reset(context: Context): Promise<void> {
  await context.faults.clear()
  await context.ports.update()
  context.revoked.clear()
  const emptying = sql`truncate oauth_requests, oauth_grants, oauth_tokens, netbank_signatures, fx_provider_notifications, bulk_transactions, payments, baskets, authorisations, consent_reads, consent_accounts, consents, pending_entries, entries, accounts`
  await emptyUnderLoad(() => emptying.execute(context.database.query))
  await resetClock(context)
  await openAccounts(context)
}
