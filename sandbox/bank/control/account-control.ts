/** Control API for accounts: list them, and set a balance. */

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { formatAmount, type Money, parseMoney } from '../../../gateway/platform/money.ts'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import type { Context } from '../context.ts'
import type { Account } from '../fixture.ts'
import { accountOf } from '../fixture-lookup.ts'
import { allBalances, setBalance } from '../ledger/account-store.ts'
import { retryUnfunded } from '../payments/payment-store.ts'

export function accountControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/accounts', async () => await listAccounts(context))
  onPost(scope, '/accounts/:bban/balance', closed({ amount: Type.String() }), ({ amount }, { bban }) =>
    changeBalance(context, sweep, requireAccount(context, bban), amount),
  )
}

async function listAccounts(context: Context): Promise<readonly object[]> {
  const balances = await allBalances(context)
  return balances.map(({ bank, bban, currency, balance_minor: minor }) => {
    const ownerName = accountOf(context.fixture, bank, bban)?.ownerName ?? null
    return { bank, bban, currency, balance: formatAmount({ minor, currency }), ownerName }
  })
}

/** Sets a balance; payments that lack funds are retried at once. */
async function changeBalance(context: Context, sweep: Sweep, account: Account, amount: string): Promise<object> {
  const money = requireMoney(amount, account)
  const { bic: bank, bban } = account
  await sweep.runExclusive(async () => {
    await setBalance(context, { bank, bban }, money.minor)
    await retryUnfunded(context, { bank, bban }, context.clock.now())
  })
  await sweep.runUntilIdle()
  return { bban, balance: formatAmount(money) }
}

/** Parses an amount in the account's currency; rejects anything else. */
export function requireMoney(amount: string, { currency }: Account): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new ControlError(400, `${JSON.stringify(amount)} is no amount in ${currency}`)
  }
  return money
}

/** The account of a number; rejects an unknown number. */
export function requireAccount({ fixture }: Context, bban: string): Account {
  return requireFound(
    fixture.accounts.find((one) => one.bban === bban),
    'The bank has no such account',
  )
}
