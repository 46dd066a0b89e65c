/** Lists the calls to banks for a payment or with an id, and computes the figures of all calls to a bank. */
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import type { CallOutcome } from '../transport/bank-http-client.ts'
import { BUCKET_GROWTH } from './bank-call-log.ts'

/** A call for a payment. */
export type LoggedBankCall = {
  /** The order of ids is that in which calls were written. */
  readonly id: string
  /** When it began, in business time like everything that happens to a payment. */
  readonly at: Temporal.Instant
  /** What it did, as in metrics: `initiatePayment`. */
  readonly operation: string
  readonly method: string
  /** Without its query, and with tokens masked. */
  readonly path: string
  /** Null without a complete answer. */
  readonly status: number | null
  /** Why there was none. */
  readonly error: string | null
  readonly milliseconds: number
  /** `X-Request-ID` */
  readonly requestId: string | null
  /** The status or the errors in the bank's answer, without accounts and national ids. */
  readonly bankText: string | null
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
export type CallOfRequest = Pick<LoggedBankCall, 'operation'> & {
  readonly partnerId: string
  readonly paymentId: string
}

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

type Stores = { readonly database: Queryable; readonly clock: Pick<Clock, 'real'> }

/** So many calls with the same outcome took about as long. */
type BankCallCount = { readonly outcome: CallOutcome; readonly bucket: number; readonly calls: number }

/** Of the current hour and the 24 before it. */
export async function readBankCallFigures({ database, clock }: Stores, bic: string): Promise<BankCallFigures> {
  const { rows } = await sql<BankCallCount>`
    select outcome, bucket, sum(calls)::int as calls from bank_call_counts
    where bic = ${bic} and hour >= ${timestamp(clock.real().subtract({ hours: 25 }))}
    group by outcome, bucket`.execute(database.query)
  return figuresOf(rows)
}

/** Of the current hour and the one before it: all calls, and those of each bank that was called, by BIC. */
export async function readRecentBankCallFigures({
  database,
  clock,
}: Stores): Promise<{ readonly all: BankCallFigures; readonly byBank: ReadonlyMap<string, BankCallFigures> }> {
  const { rows } = await sql<BankCallCount & { readonly bic: string }>`
    select b.bic, c.outcome, c.bucket, c.calls from banks b, lateral (
      select outcome, bucket, sum(calls)::int as calls from bank_call_counts
      where bic = b.bic and hour >= ${timestamp(clock.real().subtract({ hours: 2 }))}
      group by outcome, bucket) c`.execute(database.query)
  const byBank = Map.groupBy(rows, ({ bic }) => bic)
  return { all: figuresOf(rows), byBank: new Map([...byBank].map(([bic, of]) => [bic, figuresOf(of)])) }
}

function figuresOf(counts: readonly BankCallCount[]): BankCallFigures {
  const answered = counts.filter(({ outcome }) => outcome === 'answered')
  const sum = (of: typeof counts) => of.reduce((total, { calls }) => total + calls, 0)
  return {
    calls: sum(counts),
    answered: sum(answered),
    p50Milliseconds: percentileOf(answered, 0.5),
    p95Milliseconds: percentileOf(answered, 0.95),
  }
}

/** The duration that so large a share of the calls did not exceed; null without calls. */
function percentileOf(counts: readonly Omit<BankCallCount, 'outcome'>[], share: number): number | null {
  const total = counts.reduce((sum, { calls }) => sum + calls, 0)
  let passed = 0
  for (const { bucket, calls } of counts.toSorted((one, other) => one.bucket - other.bucket)) {
    passed += calls
    if (passed >= total * share) {
      return BUCKET_GROWTH ** Math.max(0, bucket - 0.5)
    }
  }
  return null
}
