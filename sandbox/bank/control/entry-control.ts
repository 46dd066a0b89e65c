/** Control API for entries: book or announce external transfers, and generate entries in any number. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { newId } from '../../../gateway/platform/ids.ts'
import { bookEntries, bookEntry, lockAccounts, type Posting } from '../accounts/account-store.ts'
import { generateEntries } from '../accounts/generate-entries.ts'
import { insertPending, makePendingDue } from '../accounts/pending-store.ts'
import { businessDay, parseDay } from '../bank-calendar.ts'
import type { BankContext } from '../bank-context.ts'
import { type Account, EntryPart } from '../fixture.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import type { Sweep } from '../sweep.ts'
import { requireAccount, requireMoney } from './account-control.ts'
import { ControlError } from './control-error.ts'

const DAY_TEXT = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

const NewEntry = Type.Object(
  {
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
    pendingSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
    /** The transactions of a batch. */
    parts: Type.Optional(Type.Array(EntryPart, { minItems: 1 })),
  },
  { additionalProperties: false },
)
type NewEntry = Static<typeof NewEntry>

const Generation = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** The number of days over which they are spread, ending today. */
    days: Type.Integer({ minimum: 1, maximum: 3_650 }),
  },
  { additionalProperties: false },
)
type Generation = Static<typeof Generation>

const IMPORT_BYTES_MAX = 2 * 1024 * 1024
/** What has been booked in the past, oldest first. */
const EntryImport = Type.Object(
  { entries: Type.Array(NewEntry, { minItems: 1, maxItems: 5_000 }) },
  { additionalProperties: false },
)

type OfAccount<Body> = { readonly Params: { bban: string }; readonly Body: Body }

export function entryControl(context: BankContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.post<OfAccount<NewEntry>>('/accounts/:bban/entries', { schema: { body: NewEntry } }, ({ params, body }) => {
    const account = requireAccount(context, params.bban)
    return body.pendingSeconds === undefined
      ? bookNow(context, sweep, account, body)
      : bookLater(context, sweep, account, { ...body, pendingSeconds: body.pendingSeconds })
  })
  scope.post<{ Params: { bban: string } }>('/accounts/:bban/entries/settle', ({ params }) =>
    settle(context, sweep, requireAccount(context, params.bban)),
  )
  scope.post<OfAccount<Static<typeof EntryImport>>>(
    '/accounts/:bban/entries/import',
    { schema: { body: EntryImport }, bodyLimit: IMPORT_BYTES_MAX },
    ({ params, body }) => importEntries(context, sweep, requireAccount(context, params.bban), body.entries),
  )
  scope.post<OfAccount<Generation>>(
    '/accounts/:bban/entries/generate',
    { schema: { body: Generation } },
    ({ params, body }) => generate(context, sweep, requireAccount(context, params.bban), body),
  )
}

/** Books a transfer that is not a payment of this bank. */
async function bookNow(context: BankContext, sweep: Sweep, account: Account, entry: NewEntry): Promise<object> {
  const posting = postingOf(context, account, entry)
  await sweep.runExclusive(() =>
    context.database.query.transaction().execute(async (transaction) => {
      const [locked] = await lockAccounts(transaction, account.bic, [account.bban])
      if (locked !== undefined) {
        await bookEntry(transaction, locked, posting)
        await retryUnfunded(transaction, locked, posting.at)
      }
    }),
  )
  await sweep.runUntilIdle()
  return { bban: account.bban, bookedOn: posting.day.toString() }
}

async function importEntries(
  context: BankContext,
  sweep: Sweep,
  account: Account,
  entries: readonly NewEntry[],
): Promise<object> {
  const postings = entries.map((entry) => postingOf(context, account, entry))
  await sweep.runExclusive(() =>
    context.database.query.transaction().execute(async (transaction) => {
      const [locked] = await lockAccounts(transaction, account.bic, [account.bban])
      if (locked !== undefined) {
        await bookEntries(transaction, locked, postings)
      }
    }),
  )
  return { bban: account.bban, booked: postings.length }
}

function postingOf({ fixture, clock }: BankContext, account: Account, entry: NewEntry): Posting {
  const at = clock.now()
  const today = businessDay(requireBankByBic(fixture, account.bic), at)
  return {
    minor: minorOf(entry, account),
    day: entry.bookedOn === undefined ? today : requireDay(entry.bookedOn, today),
    at,
    counterparty: entry.counterparty,
    counterpartyAccount: entry.counterpartyAccount ?? null,
    message: entry.message ?? null,
    reference: entry.reference ?? null,
    endToEndId: entry.endToEndId ?? null,
    paymentId: null,
    parts: entry.parts ?? null,
  }
}

/** Adds a pending entry, which is booked when it is due. */
async function bookLater(
  context: BankContext,
  sweep: Sweep,
  account: Account,
  entry: NewEntry & { readonly pendingSeconds: number },
): Promise<object> {
  const { bic: bank, bban, currency } = account
  const dueAt = context.clock.now().add({ seconds: entry.pendingSeconds })
  await insertPending(context.database.query, {
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
async function settle(context: BankContext, sweep: Sweep, { bic, bban }: Account): Promise<object> {
  const settled = await makePendingDue(context.database.query, { bank: bic, bban }, context.clock.now())
  await sweep.runUntilIdle()
  return { bban, settled }
}

async function generate(
  context: BankContext,
  sweep: Sweep,
  { bic, bban }: Account,
  { count, days }: Generation,
): Promise<object> {
  const { timeZone } = requireBankByBic(context.fixture, bic)
  const to = businessDay({ timeZone }, context.clock.now())
  const from = to.subtract({ days: days - 1 })
  await sweep.runExclusive(() =>
    context.database.query.transaction().execute(async (transaction) => {
      const [locked] = await lockAccounts(transaction, bic, [bban])
      if (locked !== undefined) {
        await generateEntries(transaction, locked, { count, from, to, timeZone })
      }
    }),
  )
  return { bban, count, from: from.toString(), to: to.toString() }
}

function minorOf({ amount }: NewEntry, account: Account): bigint {
  const { minor } = requireMoney(amount.replace(/^-/, ''), account)
  return amount.startsWith('-') ? -minor : minor
}

function requireDay(text: string, today: Temporal.PlainDate): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined || Temporal.PlainDate.compare(day, today) > 0) {
    throw new ControlError(400, `${text} is a date in the future`)
  }
  return day
}
