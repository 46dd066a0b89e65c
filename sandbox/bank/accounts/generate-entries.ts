/** Generates any number of entries; the same call on the same data generates the same entries. */
import { sql } from 'kysely'
import type { BankTransaction } from '../bank-context.ts'
import type { AccountBalance } from './account-store.ts'

/** The number of entries, spread evenly from the first to the last day. */
export type EntryGeneration = {
  readonly count: number
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
  readonly timeZone: string
}

/** Every fourth entry is a credit; the amounts of the others repeat after this many. */
const AMOUNTS = 9_973

/**
 * Books them on a locked account, after the existing entries of their days, and sets its balance. Ids are derived
 * from the account and its number of entries.
 */
export async function generateEntries(
  transaction: BankTransaction,
  { bank, bban, currency, balance_minor: balance }: AccountBalance,
  { count, from, to, timeZone }: EntryGeneration,
): Promise<void> {
  const days = from.until(to).days + 1
  await sql`
    with known as (select count(*) as entries from entries where bank = ${bank} and bban = ${bban}),
    made as (
      select
        n,
        md5(concat_ws('/', ${bank}::text, ${bban}::text, known.entries, n))::uuid as id,
        ${from.toString()}::date + (n * ${days}::bigint / ${count}::bigint)::int as day,
        case when n % 4 = 0 then 1 else -1 end * (1000 + n * 7919 % ${AMOUNTS}::bigint) as minor
      from known, generate_series(0, ${count}::bigint - 1) as n
    ),
    booked as (
      insert into entries (
        id, persistent_id, bank, bban, booked_on, value_on, booked_at, amount_minor, currency, balance_after_minor,
        counterparty, message, reference, end_to_end_id
      )
      select
        id, id, ${bank}::text, ${bban}::text, day, day, day::timestamp at time zone ${timeZone}::text, minor,
        ${currency}::text, ${balance}::bigint + sum(minor) over (order by n),
        case when minor > 0 then 'Customer ' else 'Supplier ' end || n % 97,
        case when n % 3 = 0 then null else 'Invoice ' || n end,
        case when n % 3 = 0 then (n * 10)::text end,
        case when n % 2 = 0 then 'e2e-' || n end
      from made order by n
      returning amount_minor
    )
    update accounts set balance_minor = balance_minor + (select sum(amount_minor) from booked)
    where bank = ${bank} and bban = ${bban}`.execute(transaction)
}
