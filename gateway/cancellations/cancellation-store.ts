/** Queries on cancellations. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'
import {
  type Cancellation,
  type CancellationEnd,
  type CancellationStatus,
  cancellationMayBecome,
} from './cancellation.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

type Tables = {
  cancellations: {
    partner_id: string
    id: string
    payment_id: string
    payroll_cancellation_id: ColumnType<string | null, string | null, never>
    bic: string
    consent_id: string
    ip_address: string | null
    user_agent: string | null
    bank_payment_id: string | null
    was_signed: boolean
    bank_request_id: string
    status: CancellationStatus
    reason: string | null
    created_at: Instant
    updated_at: Instant
    requested_at: Instant
    recover_at: MaybeInstant
    lease_until: MaybeInstant
  }
}

type Key = Pick<Cancellation, 'partnerId' | 'id'>

const CANCELLATION = [
  'partner_id as partnerId',
  'id',
  'payment_id as paymentId',
  'payroll_cancellation_id as payrollCancellationId',
  'bic',
  'consent_id as consentId',
  'bank_payment_id as bankPaymentId',
  'was_signed as wasSigned',
  'bank_request_id as bankRequestId',
  'status',
  'reason',
  'created_at as createdAt',
  'requested_at as requestedAt',
] as const

const OPEN = ['REQUESTED', 'AUTHORIZATION_REQUIRED'] as const satisfies readonly CancellationStatus[]

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** A new cancellation with the origin of its request, and a lease on requests to the bank. */
export type NewCancellation = Cancellation & {
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly leaseUntil: Temporal.Instant | null
}

/** Returns false if the payment already has an open cancellation. */
export async function insertCancellation(database: Queryable, cancellation: NewCancellation): Promise<boolean> {
  const at = cancellation.createdAt.toString()
  const leaseUntil = cancellation.leaseUntil?.toString() ?? null
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('cancellations')
    .values({
      partner_id: cancellation.partnerId,
      id: cancellation.id,
      payment_id: cancellation.paymentId,
      payroll_cancellation_id: cancellation.payrollCancellationId,
      bic: cancellation.bic,
      consent_id: cancellation.consentId,
      ip_address: cancellation.ipAddress,
      user_agent: cancellation.userAgent,
      bank_payment_id: cancellation.bankPaymentId,
      was_signed: cancellation.wasSigned,
      bank_request_id: cancellation.bankRequestId,
      status: cancellation.status,
      reason: cancellation.reason,
      created_at: at,
      updated_at: at,
      requested_at: cancellation.requestedAt.toString(),
      recover_at: leaseUntil,
      lease_until: leaseUntil,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function findCancellation(database: Queryable, key: Key): Promise<Cancellation | undefined> {
  return await tables(database)
    .selectFrom('cancellations')
    .select(CANCELLATION)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
}

/** The parts of a payroll cancellation, in order of creation. */
export async function listCancellationsOfPayroll(
  database: Queryable,
  { partnerId, id }: Key,
): Promise<readonly Cancellation[]> {
  return await tables(database)
    .selectFrom('cancellations')
    .select(CANCELLATION)
    .where('partner_id', '=', partnerId)
    .where('payroll_cancellation_id', '=', id)
    .orderBy('id')
    .execute()
}

type PaymentKey = Pick<Cancellation, 'partnerId' | 'paymentId'>

export async function findOpenCancellation(database: Queryable, key: PaymentKey): Promise<Cancellation | undefined> {
  return await findCancellationOf(database, key, OPEN)
}

export async function findAcceptedCancellation(
  database: Queryable,
  key: PaymentKey,
): Promise<Cancellation | undefined> {
  return await findCancellationOf(database, key, ['ACCEPTED'])
}

async function findCancellationOf(
  database: Queryable,
  { partnerId, paymentId }: PaymentKey,
  statuses: readonly CancellationStatus[],
): Promise<Cancellation | undefined> {
  return await tables(database)
    .selectFrom('cancellations')
    .select(CANCELLATION)
    .where('partner_id', '=', partnerId)
    .where('payment_id', '=', paymentId)
    .where('status', 'in', statuses)
    .executeTakeFirst()
}

/** Returns false if the status has changed meanwhile, or must not change to this one. */
export async function changeCancellationStatus(
  database: Queryable,
  cancellation: Cancellation,
  next: CancellationEnd | { readonly status: 'AUTHORIZATION_REQUIRED'; readonly reason: null },
  at: Temporal.Instant,
): Promise<boolean> {
  if (!cancellationMayBecome[cancellation.status].includes(next.status)) {
    return false
  }
  const { numUpdatedRows } = await tables(database)
    .updateTable('cancellations')
    .set({ ...next, updated_at: at.toString(), recover_at: null, lease_until: null })
    .where('partner_id', '=', cancellation.partnerId)
    .where('id', '=', cancellation.id)
    .where('status', '=', cancellation.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Only for a cancellation that the bank has certainly not executed. Returns false if its status has changed. */
export async function deleteCancellation(database: Queryable, key: Key): Promise<boolean> {
  const { numDeletedRows } = await tables(database)
    .deleteFrom('cancellations')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'REQUESTED')
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Acquires the lease for a repeated request of a user; returns false while another process holds it. */
export async function acquireCancellationLease(
  database: Queryable,
  claim: Pick<Cancellation, 'partnerId' | 'id' | 'consentId' | 'wasSigned' | 'bankPaymentId'>,
  times: { readonly real: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('cancellations')
    .set({
      consent_id: claim.consentId,
      was_signed: claim.wasSigned,
      bank_payment_id: claim.bankPaymentId,
      requested_at: times.real.toString(),
      lease_until: times.leaseUntil.toString(),
      recover_at: times.leaseUntil.toString(),
    })
    .where('partner_id', '=', claim.partnerId)
    .where('id', '=', claim.id)
    .where('status', '=', 'REQUESTED')
    .where(sql<boolean>`(lease_until is null or lease_until < ${times.real.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases the lease and schedules the next request to the bank; a user may repeat it earlier. */
export async function postponeCancellation(database: Queryable, key: Key, recoverAt: Temporal.Instant): Promise<void> {
  await postponeCancellations(database, [key], recoverAt)
}

/** The same for several cancellations of one partner. */
export async function postponeCancellations(
  database: Queryable,
  keys: readonly Key[],
  recoverAt: Temporal.Instant,
): Promise<void> {
  const [first] = keys
  if (first === undefined) {
    return
  }
  await tables(database)
    .updateTable('cancellations')
    .set({ recover_at: recoverAt.toString(), lease_until: null })
    .where('partner_id', '=', first.partnerId)
    .where(sql<boolean>`id = any(${keys.map(({ id }) => id)}::uuid[])`)
    .where('status', '=', 'REQUESTED')
    .execute()
}
