/** Control API for inbound funds: a sandbox bank reports a payment, or a test simulates one. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { newId } from '../../../gateway/platform/ids.ts'
import { closed } from '../../closed-schema.ts'
import { ControlError, onPost } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { EVERY_ROW, listRows } from '../books/rows.ts'
import type { Context } from '../context.ts'
import { fundingAccountAt, receiveInboundFunds } from '../funds/receive-inbound-funds.ts'
import { formatAmount, parseAmount, requireCurrency } from '../market/market.ts'
import type { InboundFunds } from '../tables.ts'

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

export function inboundFundsControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/arrivals', async () => {
    const { rows } = await listRows(context.database.query, 'arrivals', EVERY_ROW)
    return rows.map(describe)
  })
  onPost(scope, '/arrivals', Sent, async (sent) => {
    const made = await sweep.runExclusive(() => take(context, sent))
    await sweep.runUntilIdle()
    return made.map(describe)
  })
}

async function take(context: Context, sent: Sent): Promise<readonly InboundFunds[]> {
  const account = fundingAccountAt(sent.iban)
  if (account === undefined) {
    throw new ControlError(404, 'The provider has no such account')
  }
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
  return await context.database.query
    .transaction()
    .execute((books) =>
      receiveInboundFunds(context, books, { ...money, origin: sent.origin ?? newId() }, context.clock.now()),
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
