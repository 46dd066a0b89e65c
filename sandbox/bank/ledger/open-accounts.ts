/** Opens the fixture's accounts on the bank's first day, with their balances and histories. */
import { newId } from '../../../gateway/platform/ids.ts'
import { businessDay, startOfDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import type { Account, BankProfile, PastEntry } from '../fixture.ts'
import { requireBankByBic } from '../fixture-lookup.ts'

/** Fixture amounts have up to this many decimals. */
const DECIMALS = 2

/** Opens the accounts that do not exist yet; existing ones are unchanged. */
export async function openAccounts({ database, fixture, clock }: Context): Promise<void> {
  if (fixture.accounts.length === 0) {
    return
  }
  await database.query.transaction().execute(async (transaction) => {
    const opened = new Set(await insertAccounts(transaction, fixture.accounts))
    const entries = fixture.accounts
      .filter((account) => opened.has(keyOf(account)))
      .flatMap((account) => historyPostings(requireBankByBic(fixture, account.bic), account, clock.now()))
    if (entries.length > 0) {
      await transaction.insertInto('entries').values(entries).execute()
    }
  })
}

/** Returns the keys of those that did not exist. */
async function insertAccounts(transaction: BankTransaction, accounts: readonly Account[]): Promise<readonly string[]> {
  const opened = await transaction
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

function historyPostings(bank: BankProfile, account: Account, now: Temporal.Instant) {
  const oldestFirst = account.history.toSorted((one, other) => other.daysAgo - one.daysAgo)
  const sum = oldestFirst.reduce((total, entry) => total + minorOf(entry.amount), 0n)
  let balance = minorOf(account.balance) - sum
  return oldestFirst.map((entry) => {
    balance += minorOf(entry.amount)
    return historyPosting(bank, account, entry, {
      balance,
      day: businessDay(bank, now).subtract({ days: entry.daysAgo }),
    })
  })
}

function historyPosting(
  bank: BankProfile,
  account: Account,
  entry: PastEntry,
  { balance, day }: { readonly balance: bigint; readonly day: Temporal.PlainDate },
) {
  const id = newId()
  return {
    id,
    persistent_id: id,
    bank: bank.bic,
    bban: account.bban,
    booked_on: day.toString(),
    booked_at: startOfDay(bank, day).toString(),
    value_on: day.toString(),
    amount_minor: minorOf(entry.amount),
    currency: account.currency,
    balance_after_minor: balance,
    counterparty: entry.counterparty,
    counterparty_account: entry.account,
    message: entry.message ?? null,
    reference: entry.reference ?? null,
    parts: entry.parts === undefined ? null : JSON.stringify(entry.parts),
  }
}

function minorOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}
