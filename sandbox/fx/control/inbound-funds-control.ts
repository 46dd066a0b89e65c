/** Control of money that arrives: a bank tells of what it sent, or a test lets some come from anywhere. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { newId } from '../../../gateway/platform/ids.ts'
import { ControlRefusal } from '../../bank/control/control-error.ts'
import type { Arrival } from '../funds/inbound-funds-store.ts'
import { fundingAccountAt, takeArrival } from '../funds/receive-inbound-funds.ts'
import { knownCurrency, printAmount, readAmount } from '../market/market.ts'
import type { ProviderContext } from '../provider-context.ts'
import type { Sweep } from '../sweep.ts'

const Text = Type.Optional(Type.String({ maxLength: 500 }))
const OptionalText = Type.Optional(Type.Union([Type.String({ maxLength: 70 }), Type.Null()]))
const Sent = Type.Object(
  {
    /** What the sender's bank calls it; told twice, it came once. */
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
  },
  { additionalProperties: false },
)
type Sent = Static<typeof Sent>

export function arrivalControl(context: ProviderContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/arrivals', async () => {
    const arrivals = await context.database.query.selectFrom('arrivals').selectAll().orderBy('position').execute()
    return arrivals.map(describe)
  })
  scope.post<{ Body: Sent }>('/arrivals', { schema: { body: Sent } }, async ({ body }) => {
    const made = await sweep.alone(() => take(context, body))
    await sweep.runUntilIdle()
    return made.map(describe)
  })
}

async function take(context: ProviderContext, sent: Sent): Promise<readonly Arrival[]> {
  const account = fundingAccountAt(sent.iban)
  if (account === undefined) {
    throw new ControlRefusal(404, 'The provider has no such account')
  }
  const { currency } = account
  const minor = readAmount(sent.amount, knownCurrency(currency))
  if (typeof minor !== 'bigint' || minor === 0n) {
    throw new ControlRefusal(400, `${JSON.stringify(sent.amount)} is no amount in ${currency}`)
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
    .execute((books) => takeArrival(context, books, { ...money, origin: sent.origin ?? newId() }, context.clock.now()))
}

function describe(arrival: Arrival): object {
  return {
    id: arrival.id,
    origin: arrival.origin,
    iban: arrival.receiver_iban,
    amount: printAmount(arrival.amount_minor, arrival.currency),
    currency: arrival.currency,
    reference: arrival.reference,
    senderName: arrival.sender.name,
    conversionId: arrival.conversion_id,
    status: arrival.status,
    dueAt: arrival.due_at?.toString() ?? null,
  }
}
