/** Opens the fixture's accounts on the bank's first day, with their balances and histories. */

import { businessDay, startOfDay } from '../bank-calendar.ts'
import { type Context, inTransaction } from '../context.ts'
import type { Account, BankProfile } from '../fixture.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { entryRows } from './account-store.ts'

/** Fixture amounts have up to this many decimals. */
const DECIMALS = 2

/** Opens the accounts that do not exist yet; existing ones are unchanged. */
export async function openAccounts(context: Context): Promise<void> {
  const { fixture, clock } = context
  if (fixture.accounts.length === 0) {
    return
  }
  await inTransaction(context, async (context) => {
    const opened = new Set(await insertAccounts(context, fixture.accounts))
    const entries = fixture.accounts
      .filter((account) => opened.has(keyOf(account)))
      .flatMap((account) => historyRows(requireBankByBic(fixture, account.bic), account, clock.now()))
    if (entries.length > 0) {
      await context.database.query.insertInto('entries').values(entries).execute()
    }
  })
}

/** Returns the keys of those that did not exist. */
async function insertAccounts(context: Context, accounts: readonly Account[]): Promise<readonly string[]> {
  const opened = await context.database.query
    .insertInto('accounts')
    .values(
      accounts.map(({ bic, bban, currency, balance }) => ({
        bank: bic,
        bban,
        currency,
        balance_minor: minorOf(balance),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['bank as bic', 'bban'])
    .execute()
  return opened.map(keyOf)
}

function keyOf({ bic, bban }: Pick<Account, 'bic' | 'bban'>): string {
  return `${bic} ${bban}`
}

function historyRows(bank: BankProfile, account: Account, now: Temporal.Instant) {
  const { bban, currency, history } = account
  const oldestFirst = history.toSorted((one, other) => other.daysAgo - one.daysAgo)
  const postings = oldestFirst.map(({ daysAgo, amount, account: counterpartyAccount, ...entry }) => {
    const day = businessDay(bank, now).subtract({ days: daysAgo })
    return { ...entry, counterpartyAccount, minor: minorOf(amount), day, at: startOfDay(bank, day) }
  })
  const balance_minor = postings.reduce((balance, { minor }) => balance - minor, minorOf(account.balance))
  return entryRows({ bank: bank.bic, bban, currency, balance_minor }, postings)
}

function minorOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}
