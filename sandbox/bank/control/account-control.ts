/** Control of accounts: list them, and set a balance. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { type Money, parseMoney, printAmount } from '../../../gateway/platform/money.ts'
import { allBalances, setBalance } from '../accounts/account-store.ts'
import type { BankContext } from '../bank-context.ts'
import type { Account } from '../fixture.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import type { Sweep } from '../sweep.ts'
import { accountOf } from '../world.ts'
import { ControlRefusal } from './control-error.ts'

const NewBalance = Type.Object({ amount: Type.String() }, { additionalProperties: false })
type NewBalance = Static<typeof NewBalance>

export function accountControl(context: BankContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/accounts', async () => await listAccounts(context))
  scope.post<{ Params: { bban: string }; Body: NewBalance }>(
    '/accounts/:bban/balance',
    { schema: { body: NewBalance } },
    async ({ params, body }) => await changeBalance(context, sweep, requireAccount(context, params.bban), body),
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

/** An amount in the account's currency; refuses what is none. */
export function requireMoney(amount: string, { currency }: Account): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new ControlRefusal(400, `${JSON.stringify(amount)} is no amount in ${currency}`)
  }
  return money
}

/** The account of a number; refuses what is none. */
export function requireAccount({ world }: BankContext, bban: string): Account {
  const account = world.accounts.find((one) => one.bban === bban)
  if (account === undefined) {
    throw new ControlRefusal(404, 'The bank has no such account')
  }
  return account
}
