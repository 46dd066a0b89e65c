/** Queries on cancellations: a row for each order, and for a payroll one more for the whole. */

import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { takeLease } from '../../platform/jobs/lease.ts'
import {
  type Cancellation,
  type CancellationEnd,
  type CancellationPart,
  type CancelledKind,
  cancellationMayBecome,
} from './cancellation.ts'

type Key = Pick<Cancellation, 'partnerId' | 'id'>
type PartRow = CancellationPart & Pick<Cancellation, 'createdAt'>

const PART = sql`
  partner_id as "partnerId", id, case when payroll_cancellation_id is null then 'payment' else 'payroll' end as kind,
  payment_id as "paymentId", bic, consent_id as "consentId", bank_payment_id as "bankPaymentId",
  was_signed as "wasSigned", bank_request_id as "bankRequestId", status, reason, created_at as "createdAt",
  requested_at as "requestedAt"`

const WHOLE = sql`
  partner_id as "partnerId", id, 'payroll' as kind, payroll_id as "instructionId", consent_id as "consentId", decision,
  reason, created_at as "createdAt"`

const IS_OPEN = sql`status in ('REQUESTED', 'AUTHORIZATION_REQUIRED')`

async function rowsOf<Row>({ query }: Queryable, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return (await statement.execute(query)).rows
}

async function changedBy({ query }: Queryable, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(query)).numAffectedRows ?? 0n)
}

/** Where its request came from, and until when requests to the bank are leased. */
export type CancellationOrigin = {
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly leaseUntil: Temporal.Instant
}

/** Returns false if one of the orders already has an open cancellation; then the transaction must be rolled back. */
export async function insertCancellation(
  transaction: Queryable,
  cancellation: Cancellation,
  { ipAddress, userAgent, leaseUntil }: CancellationOrigin,
): Promise<boolean> {
  const { partnerId, id, kind, consentId, decision, reason, parts } = cancellation
  const at = cancellation.createdAt.toString()
  const wholeId = kind === 'payment' ? null : id
  if (wholeId !== null) {
    await sql`
      insert into payroll_cancellations (partner_id, id, payroll_id, consent_id, decision, reason, created_at)
      values (${partnerId}, ${wholeId}, ${cancellation.instructionId}, ${consentId}, ${decision}, ${reason}, ${at})
    `.execute(transaction.query)
  }
  for (const part of parts) {
    const until = part.status === 'REQUESTED' ? leaseUntil.toString() : null
    const insertPart = sql`
      insert into cancellations (partner_id, id, payment_id, payroll_cancellation_id, bic, consent_id, ip_address,
        user_agent, bank_payment_id, was_signed, bank_request_id, status, reason, created_at, updated_at, requested_at,
        recover_at, lease_until)
      values (${partnerId}, ${part.id}, ${part.paymentId}, ${wholeId}, ${part.bic}, ${consentId}, ${ipAddress},
        ${userAgent}, ${part.bankPaymentId}, ${part.wasSigned}, ${part.bankRequestId}, ${part.status}, ${part.reason},
        ${at}, ${at}, ${part.requestedAt.toString()}, ${until}, ${until})
      on conflict do nothing`
    if ((await changedBy(transaction, insertPart)) === 0) {
      return false
    }
  }
  return true
}

export async function findCancellationPart(
  database: Queryable,
  { partnerId, id }: Key,
): Promise<CancellationPart | undefined> {
  const [part] = await rowsOf(
    database,
    sql<PartRow>`select ${PART} from cancellations where partner_id = ${partnerId} and id = ${id}`,
  )
  return part
}

/** The cancellation of a payment or a payroll, with its parts in order of creation; a part of a payroll's is none. */
export async function findCancellation(database: Queryable, { partnerId, id }: Key): Promise<Cancellation | undefined> {
  const [whole] = await rowsOf(
    database,
    sql<Omit<Cancellation, 'parts'>>`
      select ${WHOLE} from payroll_cancellations where partner_id = ${partnerId} and id = ${id}`,
  )
  const parts = await rowsOf(
    database,
    sql<PartRow>`
      select ${PART} from cancellations where partner_id = ${partnerId}
        and (payroll_cancellation_id = ${id} or id = ${id} and payroll_cancellation_id is null) order by id`,
  )
  const [part] = parts
  if (whole !== undefined || part === undefined) {
    return whole && { ...whole, parts }
  }
  const { kind, consentId, createdAt, paymentId: instructionId } = part
  return { partnerId, id, kind, instructionId, consentId, createdAt, decision: null, reason: null, parts }
}

/** The cancellation of a payment or payroll that has an open part. */
export async function findOpenCancellation(
  database: Queryable,
  { partnerId, kind, id }: Key & { readonly kind: CancelledKind },
): Promise<Cancellation | undefined> {
  const [open] = await rowsOf(
    database,
    kind === 'payment'
      ? sql<Key>`select id from cancellations where partner_id = ${partnerId} and payment_id = ${id} and ${IS_OPEN}`
      : sql<Key>`
        select w.id from payroll_cancellations w where w.partner_id = ${partnerId} and w.payroll_id = ${id} and exists (
          select from cancellations c
          where c.partner_id = ${partnerId} and c.payroll_cancellation_id = w.id and ${IS_OPEN})
        order by w.id desc limit 1`,
  )
  return open && (await findCancellation(database, { partnerId, id: open.id }))
}

/** The id of the cancellation by which a payment was cancelled. */
export async function findAcceptedCancellationId(
  database: Queryable,
  { partnerId, id }: Key,
): Promise<string | undefined> {
  const [accepted] = await rowsOf(
    database,
    sql<Key>`
      select id from cancellations where partner_id = ${partnerId} and payment_id = ${id} and status = 'ACCEPTED' limit 1`,
  )
  return accepted?.id
}

/** Returns false if the status has changed meanwhile, or must not change to this one. */
export async function changePartStatus(
  database: Queryable,
  { partnerId, id, status }: CancellationPart,
  next: CancellationEnd | { readonly status: 'AUTHORIZATION_REQUIRED'; readonly reason: null },
  at: Temporal.Instant,
): Promise<boolean> {
  if (!cancellationMayBecome[status].includes(next.status)) {
    return false
  }
  const changePart = sql`
    update cancellations set status = ${next.status}, reason = ${next.reason}, updated_at = ${at.toString()},
      recover_at = null, lease_until = null
    where partner_id = ${partnerId} and id = ${id} and status = ${status}`
  return (await changedBy(database, changePart)) === 1
}

/**
 * Only for a cancellation that the bank has certainly not executed. Returns false if a part is no longer `REQUESTED`; then
 * the transaction must be rolled back.
 */
export async function deleteCancellation(transaction: Queryable, cancellation: Cancellation): Promise<boolean> {
  const { partnerId, id, parts } = cancellation
  await sql`delete from payroll_cancellations where partner_id = ${partnerId} and id = ${id}`.execute(transaction.query)
  const deleteParts = sql`
    delete from cancellations where partner_id = ${partnerId} and id = any(${idsOf(parts)}) and status = 'REQUESTED'`
  return (await changedBy(transaction, deleteParts)) === parts.length
}

/** Acquires the lease for a repeated request of a user; returns false while another process holds it. */
export async function acquirePartLease(
  database: Queryable,
  { partnerId, id, consentId, wasSigned, bankPaymentId, requestedAt: at }: CancellationPart,
  until: Temporal.Instant,
): Promise<boolean> {
  const row = { table: 'cancellations', key: { partner_id: partnerId, id } }
  const request = { consent_id: consentId, was_signed: wasSigned, bank_payment_id: bankPaymentId }
  const set = { ...request, requested_at: at.toString(), recover_at: until.toString() }
  return await takeLease(database, row, { at, until }, { set, where: sql<boolean>`status = 'REQUESTED'` })
}

/** Releases the leases of parts of one partner and schedules the next request to the bank; a user may repeat it earlier. */
export async function postponeParts(
  database: Queryable,
  parts: readonly Key[],
  recoverAt: Temporal.Instant,
): Promise<void> {
  const [first] = parts
  if (first !== undefined) {
    await sql`
      update cancellations set recover_at = ${recoverAt.toString()}, lease_until = null
      where partner_id = ${first.partnerId} and id = any(${idsOf(parts)}) and status = 'REQUESTED'
    `.execute(database.query)
  }
}

function idsOf(parts: readonly Key[]): readonly string[] {
  return parts.map(({ id }) => id)
}
