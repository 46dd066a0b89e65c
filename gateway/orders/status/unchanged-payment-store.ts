/** The statements that record reads of payments whose bank says that nothing has changed; they cross partners. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Payment } from '../payment.ts'
import { PAYMENT, paymentOf, paymentTables } from '../payment-store.ts'

/** Which payments: those of a bank that are due, a page at a time. */
export type DuePage = {
  readonly bic: string
  readonly now: Temporal.Instant
  /** Wall time. */
  readonly real: Temporal.Instant
  readonly after: Pick<Payment, 'id' | 'pollAt'> | null
  readonly limit: number
}

/** Payments whose next read is due, without a lease, and whose last read succeeded, in the order of their due times. */
export async function listDue(database: Database<unknown>, page: DuePage): Promise<readonly Payment[]> {
  const { bic, now, real, after, limit } = page
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT)
    .where('bic', '=', bic)
    .where(sql<boolean>`poll_at <= ${now.toString()}::timestamptz`)
    .where(sql<boolean>`(lease_until is null or lease_until < ${real.toString()}::timestamptz)`)
    .where('type', '<>', 'Payroll')
    .where('outcome', '=', 'known')
    .where('exchange', 'is', null)
    .where(sql<boolean>`(hinted_at is null or hinted_at <= ${real.toString()}::timestamptz)`)
    .where('unread_since', 'is', null)
    .where('lapsed_at', 'is', null)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(poll_at, id) > (${after?.pollAt?.toString() ?? ''}::timestamptz, ${after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('poll_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(paymentOf)
}

/** A read that found nothing new, and when the next one comes. */
export type UnchangedRead = { readonly payment: Payment; readonly nextPollAt: Temporal.Instant | null }

/** Records the reads of all payments to which nothing has happened since they were listed. */
export async function writeUnchanged(
  { pool }: Database<unknown>,
  reads: readonly UnchangedRead[],
  { now, real }: { readonly now: Temporal.Instant; readonly real: Temporal.Instant },
): Promise<void> {
  const payments = reads.map(({ payment }) => payment)
  await pool.query(
    `update payments p set poll_at = r.next_poll_at, poll_step = p.poll_step + 1, status_at = $8::timestamptz
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::boolean[], $7::timestamptz[])
       as r(partner_id, id, poll_at, status_at, hinted_at, signed, next_poll_at)
     where p.partner_id = r.partner_id and p.id = r.id and p.poll_at = r.poll_at and p.status_at = r.status_at
       and p.hinted_at is not distinct from r.hinted_at and p.signed = r.signed
       and (p.lease_until is null or p.lease_until < $9::timestamptz)`,
    [
      payments.map(({ partnerId }) => partnerId),
      payments.map(({ id }) => id),
      payments.map(({ pollAt }) => pollAt?.toString() ?? null),
      payments.map(({ statusAt }) => statusAt.toString()),
      payments.map(({ hintedAt }) => hintedAt?.toString() ?? null),
      payments.map(({ signed }) => signed),
      reads.map(({ nextPollAt }) => nextPollAt?.toString() ?? null),
      now.toString(),
      real.toString(),
    ],
  )
}
