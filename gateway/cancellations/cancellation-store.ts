/** Every query on cancellations. */
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
    asked_at: Instant
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
  'asked_at as askedAt',
] as const

const OPEN = ['ASKED', 'AUTHORIZATION_REQUIRED'] as const satisfies readonly CancellationStatus[]

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** A cancellation as it is first kept: from where it was asked, and until when nobody else asks the bank. */
export type NewCancellation = Cancellation & {
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly leaseUntil: Temporal.Instant | null
}

/** Keeps the wish; false when the payment is being cancelled already. */
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
      asked_at: cancellation.askedAt.toString(),
      recover_at: leaseUntil,
      lease_until: leaseUntil,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** One cancellation of the partner. */
export async function findCancellation(database: Queryable, key: Key): Promise<Cancellation | undefined> {
  return await tables(database)
    .selectFrom('cancellations')
    .select(CANCELLATION)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
}

/** The parts of the cancellation of a payroll, in the order in which they were kept. */
export async function listPartsOf(database: Queryable, { partnerId, id }: Key): Promise<readonly Cancellation[]> {
  return await tables(database)
    .selectFrom('cancellations')
    .select(CANCELLATION)
    .where('partner_id', '=', partnerId)
    .where('payroll_cancellation_id', '=', id)
    .orderBy('id')
    .execute()
}

/** The cancellation of a payment that has not ended. */
export async function findOpenCancellation(
  database: Queryable,
  { partnerId, paymentId }: Pick<Cancellation, 'partnerId' | 'paymentId'>,
): Promise<Cancellation | undefined> {
  return await tables(database)
    .selectFrom('cancellations')
    .select(CANCELLATION)
    .where('partner_id', '=', partnerId)
    .where('payment_id', '=', paymentId)
    .where('status', 'in', OPEN)
    .executeTakeFirst()
}

/** Moves a cancellation on; false when somebody else did. */
export async function moveCancellation(
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

/** Forgets a wish of which the bank certainly knows nothing; false when it has moved on. */
export async function dropCancellation(database: Queryable, key: Key): Promise<boolean> {
  const { numDeletedRows } = await tables(database)
    .deleteFrom('cancellations')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ASKED')
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Takes the lease of a cancellation that a user wishes anew; false while somebody asks its bank. */
export async function claimCancellation(
  database: Queryable,
  wish: Pick<Cancellation, 'partnerId' | 'id' | 'consentId' | 'wasSigned' | 'bankPaymentId'>,
  times: { readonly real: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('cancellations')
    .set({
      consent_id: wish.consentId,
      was_signed: wish.wasSigned,
      bank_payment_id: wish.bankPaymentId,
      asked_at: times.real.toString(),
      lease_until: times.leaseUntil.toString(),
      recover_at: times.leaseUntil.toString(),
    })
    .where('partner_id', '=', wish.partnerId)
    .where('id', '=', wish.id)
    .where('status', '=', 'ASKED')
    .where(sql<boolean>`(lease_until is null or lease_until < ${times.real.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Has the bank asked again later, by whoever comes first. */
export async function postponeCancellation(database: Queryable, key: Key, recoverAt: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('cancellations')
    .set({ recover_at: recoverAt.toString(), lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ASKED')
    .execute()
}
