/** Control API for entries: book or announce external transfers, and generate entries in any number. */

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { parseDay } from '../../../gateway/platform/clock.ts'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { newId } from '../../../gateway/platform/ids.ts'
import { ControlError, onPost, Seconds } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { insertRow } from '../../rows.ts'
import { makePendingDue } from '../accounts/pending-store.ts'
import { businessDay } from '../bank-calendar.ts'
import { type Context, inTransaction } from '../context.ts'
import { type Account, EntryPart } from '../fixture.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import {
  type AccountBalance,
  bookEntries,
  lockAccounts,
  type Posting,
  updateRunningBalances,
} from '../ledger/account-store.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import { requireAccount, requireMoney } from './account-control.ts'

const DAY_TEXT = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

const NewEntry = closed({
  /** Negative for a debit. */
  amount: Type.String(),
  counterparty: Type.String({ minLength: 1, maxLength: 70 }),
  counterpartyAccount: Type.Optional(Type.String({ maxLength: 34 })),
  message: Type.Optional(Type.String({ maxLength: 140 })),
  reference: Type.Optional(Type.String({ maxLength: 35 })),
  endToEndId: Type.Optional(Type.String({ maxLength: 35 })),
  /** Today by default; not in the future. */
  bookedOn: Type.Optional(DAY_TEXT),
  /** How long it is pending before it is booked; booked at once by default. */
  pendingSeconds: Type.Optional(Seconds),
  /** The transactions of a batch. */
  parts: Type.Optional(Type.Array(EntryPart, { minItems: 1 })),
})
type NewEntry = Static<typeof NewEntry>

const Generation = closed({
  count: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  /** The number of days over which they are spread, ending today. */
  days: Type.Integer({ minimum: 1, maximum: 3_650 }),
})
type Generation = Static<typeof Generation>

const IMPORT_BYTES_MAX = 2 * 1024 * 1024
/** What has been booked in the past, oldest first. */
const EntryImport = closed({ entries: Type.Array(NewEntry, { minItems: 1, maxItems: 5_000 }) })

export function entryControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  onPost(scope, '/accounts/:bban/entries', NewEntry, (entry, { bban }) => {
    const account = requireAccount(context, bban)
    return entry.pendingSeconds === undefined
      ? bookNow(context, sweep, account, entry)
      : bookLater(context, sweep, account, { ...entry, pendingSeconds: entry.pendingSeconds })
  })
  scope.post<{ Params: { bban: string } }>('/accounts/:bban/entries/settle', ({ params }) =>
    settle(context, sweep, requireAccount(context, params.bban)),
  )
  scope.post<{ Params: { bban: string }; Body: Static<typeof EntryImport> }>(
    '/accounts/:bban/entries/import',
    { schema: { body: EntryImport }, bodyLimit: IMPORT_BYTES_MAX },
    ({ params, body }) => importEntries(context, sweep, requireAccount(context, params.bban), body.entries),
  )
  onPost(scope, '/accounts/:bban/entries/generate', Generation, (generation, { bban }) =>
    generate(context, sweep, requireAccount(context, bban), generation),
  )
}

/** Books transfers that are not payments of this bank; payments that lacked funds are retried. */
async function book(
  context: Context,
  sweep: Sweep,
  account: Account,
  entries: readonly NewEntry[],
): Promise<readonly Posting[]> {
  const postings = entries.map((entry) => postingOf(context, account, entry))
  await withLockedAccount(context, sweep, account, async (context, locked) => {
    await bookEntries(context, locked, postings)
    await retryUnfunded(context, locked, context.clock.now())
  })
  await sweep.runUntilIdle()
  return postings
}

async function bookNow(context: Context, sweep: Sweep, account: Account, entry: NewEntry): Promise<object> {
  const [posting] = await book(context, sweep, account, [entry])
  return { bban: account.bban, bookedOn: posting?.day.toString() }
}

async function importEntries(
  context: Context,
  sweep: Sweep,
  account: Account,
  entries: readonly NewEntry[],
): Promise<object> {
  const { length } = await book(context, sweep, account, entries)
  return { bban: account.bban, booked: length }
}

async function withLockedAccount(
  context: Context,
  sweep: Sweep,
  { bic, bban }: Account,
  work: (context: Context, locked: AccountBalance) => Promise<void>,
): Promise<void> {
  await sweep.runExclusive(() =>
    inTransaction(context, async (context) => {
      const [locked] = await lockAccounts(context, [{ bank: bic, bban }])
      if (locked !== undefined) {
        await work(context, locked)
      }
    }),
  )
}

function postingOf({ fixture, clock }: Context, account: Account, entry: NewEntry): Posting {
  const at = clock.now()
  const today = businessDay(requireBankByBic(fixture, account.bic), at)
  return {
    minor: minorOf(entry, account),
    day: entry.bookedOn === undefined ? today : requireDay(entry.bookedOn, today),
    at,
    counterparty: entry.counterparty,
    counterpartyAccount: entry.counterpartyAccount,
    message: entry.message,
    reference: entry.reference,
    endToEndId: entry.endToEndId,
    parts: entry.parts,
  }
}

/** Adds a pending entry, which is booked when it is due. */
async function bookLater(
  context: Context,
  sweep: Sweep,
  account: Account,
  entry: NewEntry & { readonly pendingSeconds: number },
): Promise<object> {
  const { bic: bank, bban, currency } = account
  const dueAt = context.clock.now().add({ seconds: entry.pendingSeconds })
  await insertRow(context, 'pending_entries', {
    id: newId(),
    bank,
    bban,
    value_on: businessDay(requireBankByBic(context.fixture, bank), dueAt).toString(),
    amount_minor: minorOf(entry, account),
    currency,
    counterparty: entry.counterparty,
    counterparty_account: entry.counterpartyAccount ?? null,
    message: entry.message ?? null,
    reference: entry.reference ?? null,
    end_to_end_id: entry.endToEndId ?? null,
    parts: entry.parts === undefined ? null : JSON.stringify(entry.parts),
    due_at: dueAt.toString(),
  })
  await sweep.runUntilIdle()
  return { bban, bookedAt: dueAt.toString() }
}

/** Books the pending entries now. */
async function settle(context: Context, sweep: Sweep, { bic, bban }: Account): Promise<object> {
  const settled = await makePendingDue(context, { bank: bic, bban }, context.clock.now())
  await sweep.runUntilIdle()
  return { bban, settled }
}

async function generate(
  context: Context,
  sweep: Sweep,
  account: Account,
  { count, days }: Generation,
): Promise<object> {
  const { timeZone } = requireBankByBic(context.fixture, account.bic)
  const to = businessDay({ timeZone }, context.clock.now())
  const from = to.subtract({ days: days - 1 })
  await withLockedAccount(context, sweep, account, (context, locked) =>
    generateEntries(context, locked, { count, days, from, timeZone }),
  )
  return { bban: account.bban, count, from: from.toString(), to: to.toString() }
}

function minorOf({ amount }: NewEntry, account: Account): bigint {
  const { minor } = requireMoney(amount.replace(/^-/, ''), account)
  return amount.startsWith('-') ? -minor : minor
}

function requireDay(text: string, today: Temporal.PlainDate): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined || Temporal.PlainDate.compare(day, today) > 0) {
    throw new ControlError(400, `${text} is ${day === undefined ? 'no date' : 'in the future'}`)
  }
  return day
}

/** Spread evenly over so many days from the first one on. */
type EntryGeneration = Generation & { readonly from: Temporal.PlainDate; readonly timeZone: string }

/** Every fourth entry is a credit; the amounts of the others repeat after this many. */
const AMOUNTS = 9_973

/**
 * Books them on a locked account, after the existing entries of their days, and sets its balance. Ids are derived
 * from the account and its number of entries.
 */
async function generateEntries(
  context: Context,
  { bank, bban, currency, balance_minor: balance }: AccountBalance,
  { count, days, from, timeZone }: EntryGeneration,
): Promise<void> {
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
    where bank = ${bank} and bban = ${bban}`.execute(context.database.query)
  await updateRunningBalances(context, { bank, bban }, from)
}
