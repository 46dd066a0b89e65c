/** Control API for faults, and for the bank's whole database. */

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { emptyUnderLoad } from '../../../gateway/platform/database/empty-under-load.ts'
import { resetClock } from '../../business-clock.ts'
import { ControlError, onPost } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { accountRoutes } from '../accounts/routes.ts'
import { basketRoutes } from '../baskets/routes.ts'
import { consentRoutes } from '../consents/routes.ts'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { bankByBic } from '../fixture-lookup.ts'
import { plainHexadecimal } from '../identity/read-certificate.ts'
import { openAccounts } from '../ledger/open-accounts.ts'
import { paymentRoutes } from '../payments/routes.ts'

/** As an operation of a fault: it applies to all of them. */
const EVERY_OPERATION = '*'

/** All faults, or those of a bank and with an effect. */
const FaultQuery = closed({ bank: Type.Optional(Type.String()), effect: Type.Optional(Type.String()) })

const Revocation = closed({ serialNumber: Type.String({ pattern: '^[0-9a-fA-F]{1,40}$' }) })

export function bankControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  const operations = operationNames(context)
  scope.get('/faults', () => context.faults.list())
  onPost(scope, '/faults', Fault, async (fault) => {
    if (bankByBic(context.fixture, fault.bank) === undefined) {
      throw new ControlError(400, `There is no bank ${fault.bank}`)
    }
    const unknown = [fault.operation].flat().find((operation) => !operations.has(operation))
    if (unknown !== undefined) {
      throw new ControlError(400, `There is no operation ${unknown}; they are ${[...operations].join(', ')}`)
    }
    requirePossible(fault)
    await context.faults.add(fault)
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
  onPost(scope, '/revoked-certificates', Revocation, ({ serialNumber }) => {
    context.revoked.add(plainHexadecimal(serialNumber))
    return [...context.revoked]
  })
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
function requirePossible({ bank, effect, operation, ...limits }: Fault): void {
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
