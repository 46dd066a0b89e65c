/** Lists the calls to banks for a payment or with an id, and computes the figures of all calls to a bank. */
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  type BankCallCount,
  percentileOf,
  type StoredBankCall,
  selectBankCallCounts,
  selectCallCountsOfAllBanks,
} from './bank-call-store.ts'

/** A call for a payment. */
export type LoggedBankCall = Omit<StoredBankCall, 'partnerId' | 'paymentId' | 'bic' | 'at'> & {
  readonly at: Temporal.Instant
}

/** Of the answers: how long half of them took at most, and 95 of 100. Null without any. */
export type BankCallFigures = {
  readonly calls: number
  readonly answered: number
  readonly p50Milliseconds: number | null
  readonly p95Milliseconds: number | null
}

/** The latest calls for a payment, or those before one of them; the newest first. */
export async function listBankCalls(
  { query }: Queryable,
  payment: { readonly partnerId: string; readonly id: string },
  { beforeId, limit }: { readonly beforeId?: string | undefined; readonly limit: number },
): Promise<readonly LoggedBankCall[]> {
  const { rows } = await sql<LoggedBankCall>`
    select id, at, operation, method, path, status, error, milliseconds, request_id as "requestId", bank_text as "bankText"
    from bank_calls where partner_id = ${payment.partnerId} and payment_id = ${payment.id}
      and ${beforeId === undefined ? sql`true` : sql`id < ${beforeId}::uuid`}
    order by id desc limit ${limit}`.execute(query)
  return rows
}

/** A call for a payment that was made with an X-Request-ID. */
export type CallOfRequest = Pick<StoredBankCall, 'partnerId' | 'paymentId' | 'operation'>

/** The calls with an X-Request-ID, by its index; null is every partner. */
export async function listCallsOfRequest(
  { query }: Queryable,
  { requestId, partnerId }: { readonly requestId: string; readonly partnerId: string | null },
  limit: number,
): Promise<readonly CallOfRequest[]> {
  const { rows } = await sql<CallOfRequest>`
    select partner_id as "partnerId", payment_id as "paymentId", operation from bank_calls
    where request_id = ${requestId} and ${partnerId === null ? sql`true` : sql`partner_id = ${partnerId}::uuid`}
    order by id desc limit ${limit}`.execute(query)
  return rows
}

/** Of the current hour and the 24 before it. */
export async function readBankCallFigures(
  { database, clock }: { readonly database: Queryable; readonly clock: Pick<Clock, 'real'> },
  bic: string,
): Promise<BankCallFigures> {
  return figuresOf(await selectBankCallCounts(database, bic, clock.real().subtract({ hours: 25 })))
}

/** Of the current hour and the one before it: all calls, and those of each bank that was called, by BIC. */
export async function readRecentBankCallFigures({
  database,
  clock,
}: {
  readonly database: Queryable
  readonly clock: Pick<Clock, 'real'>
}): Promise<{ readonly all: BankCallFigures; readonly byBank: ReadonlyMap<string, BankCallFigures> }> {
  const counts = await selectCallCountsOfAllBanks(database, clock.real().subtract({ hours: 2 }))
  const byBank = Map.groupBy(counts, ({ bic }) => bic)
  return { all: figuresOf(counts), byBank: new Map([...byBank].map(([bic, of]) => [bic, figuresOf(of)])) }
}

function figuresOf(counts: readonly Pick<BankCallCount, 'outcome' | 'bucket' | 'calls'>[]): BankCallFigures {
  const answered = counts.filter(({ outcome }) => outcome === 'answered')
  const sum = (of: typeof counts) => of.reduce((total, { calls }) => total + calls, 0)
  return {
    calls: sum(counts),
    answered: sum(answered),
    p50Milliseconds: percentileOf(answered, 0.5),
    p95Milliseconds: percentileOf(answered, 0.95),
  }
}
