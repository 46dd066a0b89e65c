/** Control of accounts: list them, set a balance, book something that came from elsewhere. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { type Money, parseMoney, printAmount } from '../../../gateway/foundation/money.ts'
import { allBalances, bookEntry, lockAccounts, setBalance } from '../accounts/account-store.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankContext } from '../context.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import type { Sweep } from '../sweep.ts'
import { accountOf, bankOfRow } from '../world.ts'
import type { Account } from '../world-shape.ts'
import { ControlRefusal } from './control-refusal.ts'

const NewBalance = Type.Object({ amount: Type.String() }, { additionalProperties: false })
type NewBalance = Static<typeof NewBalance>
const NewEntry = Type.Object(
  {
    /** Negative when money leaves the account. */
    amount: Type.String(),
    counterparty: Type.String({ minLength: 1, maxLength: 70 }),
    message: Type.Optional(Type.String({ maxLength: 140 })),
    reference: Type.Optional(Type.String({ maxLength: 35 })),
  },
  { additionalProperties: false },
)
type NewEntry = Static<typeof NewEntry>

export function accountControl(context: BankContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/accounts', async () => await listAccounts(context))
  scope.post<{ Params: { bban: string }; Body: NewBalance }>(
    '/accounts/:bban/balance',
    { schema: { body: NewBalance } },
    async ({ params, body }) => await changeBalance(context, sweep, requireAccount(context, params.bban), body),
  )
  scope.post<{ Params: { bban: string }; Body: NewEntry }>(
    '/accounts/:bban/entries',
    { schema: { body: NewEntry } },
    async ({ params, body }) => await addEntry(context, sweep, requireAccount(context, params.bban), body),
  )
}

async function listAccounts(context: BankContext): Promise<readonly object[]> {
  const balances = await allBalances(context.database.query)
  return balances.map(({ bank, bban, currency, balance_minor: minor }) => {
    const ownerName = accountOf(context.world, bank, bban)?.ownerName ?? null
    return { bank, bban, currency, balance: printAmount({ minor, currency }), ownerName }
  })
}

/** Sets a balance; payments that waited for money are tried again at once. */
async function changeBalance(
  context: BankContext,
  sweep: Sweep,
  account: Account,
  { amount }: NewBalance,
): Promise<object> {
  const money = requireMoney(amount, account)
  const { bic: bank, bban } = account
  await sweep.alone(async () => {
    await setBalance(context.database.query, { bank, bban }, money.minor)
    await retryUnfunded(context.database.query, { bank, bban }, context.clock.now())
  })
  await sweep.runUntilIdle()
  return { bban, balance: printAmount(money) }
}

/** Books money that came in or went out by other means than a payment here. */
async function addEntry(context: BankContext, sweep: Sweep, account: Account, entry: NewEntry): Promise<object> {
  const { minor } = requireMoney(entry.amount.replace(/^-/, ''), account)
  const { bic: bank, bban } = account
  const at = context.clock.now()
  const posting = {
    minor: entry.amount.startsWith('-') ? -minor : minor,
    day: businessDay(bankOfRow(context.world, bank), at),
    at,
    counterparty: entry.counterparty,
    counterpartyAccount: null,
    message: entry.message ?? null,
    reference: entry.reference ?? null,
    paymentId: null,
  }
  await sweep.alone(() =>
    context.database.query.transaction().execute(async (transaction) => {
      const [locked] = await lockAccounts(transaction, bank, [bban])
      if (locked !== undefined) {
        await bookEntry(transaction, locked, posting)
        await retryUnfunded(transaction, locked, at)
      }
    }),
  )
  await sweep.runUntilIdle()
  return { bban, bookedOn: posting.day.toString() }
}

function requireMoney(amount: string, { currency }: Account): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new ControlRefusal(400, `${JSON.stringify(amount)} is no amount in ${currency}`)
  }
  return money
}

function requireAccount({ world }: BankContext, bban: string): Account {
  const account = world.accounts.find((one) => one.bban === bban)
  if (account === undefined) {
    throw new ControlRefusal(404, 'The bank has no such account')
  }
  return account
}
