/** Renews the leases of rows while they are processed, so that the rows of a killed process are soon claimed again. */
import { sql } from 'kysely'
import { type Clock, earlierOf } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { type LeasedRow, RENEWED_LEASE_SECONDS, type RowKey } from './due-row-scan.ts'

/** The leases that one sweep holds in this process. */
export type LeaseRenewal = {
  /** Processes a row under its lease; the row that `work` gets has the end of the lease as it stands. */
  whileLeased(row: LeasedRow, work: (row: LeasedRow) => Promise<void>): Promise<void>
}

/** `sent` are the ends of renewals without an answer: one of them may be stored, although the answer was lost. */
type HeldLease = RowKey & {
  leaseUntil: Temporal.Instant
  sent: readonly Temporal.Instant[]
  readonly endsAt: Temporal.Instant
}
type Dependencies = { readonly database: Database<unknown>; readonly clock: Clock }

/** Two renewals may fail before a lease is lost. */
const RENEWAL_INTERVAL_MILLISECONDS = 6_000

/** Renews leases of a table while rows are in flight, each for `leaseSeconds` in total. */
export function openLeaseRenewal(
  dependencies: Dependencies,
  rows: { readonly table: string; readonly leaseSeconds: number },
  intervalMilliseconds = RENEWAL_INTERVAL_MILLISECONDS,
): LeaseRenewal {
  const { clock } = dependencies
  const held = new Set<HeldLease>()
  let timer: NodeJS.Timeout | undefined
  const renewAll = () => {
    const until = clock.real().add({ seconds: RENEWED_LEASE_SECONDS })
    // Without the database no other process can claim the rows either; the next renewal may succeed.
    renewLeases(dependencies, rows.table, [...held], until).catch(() => undefined)
  }
  return {
    whileLeased: async ({ partnerId, id, leaseUntil }, work) => {
      const secondsLeft = rows.leaseSeconds - Math.min(rows.leaseSeconds, RENEWED_LEASE_SECONDS)
      const endsAt = leaseUntil.add({ seconds: secondsLeft })
      const lease: HeldLease = { partnerId, id, leaseUntil, sent: [], endsAt }
      held.add(lease)
      timer ??= setInterval(renewAll, intervalMilliseconds).unref()
      try {
        await work(lease)
      } finally {
        held.delete(lease)
        if (held.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
  }
}

/** Moves the ends of leases that are still held; one that processing has ended or replaced stays as it is. */
async function renewLeases(
  { database }: Dependencies,
  table: string,
  leases: readonly HeldLease[],
  until: Temporal.Instant,
): Promise<void> {
  const moves = leases.flatMap(({ partnerId, id, leaseUntil, sent, endsAt }) =>
    [leaseUntil, ...sent].map((stored) => ({ partnerId, id, leaseUntil: stored, until: earlierOf(until, endsAt) })),
  )
  for (const lease of leases) {
    lease.sent = [...lease.sent, earlierOf(until, lease.endsAt)]
  }
  const column = (name: 'partnerId' | 'id' | 'leaseUntil' | 'until') => moves.map((move) => move[name].toString())
  const { rows } = await sql<LeasedRow>`
    update ${sql.table(table)} waiting set lease_until = held.until
    from unnest(${column('partnerId')}::uuid[], ${column('id')}::uuid[], ${column('leaseUntil')}::timestamptz[],
      ${column('until')}::timestamptz[]) as held(partner_id, id, lease_until, until)
    where waiting.partner_id = held.partner_id and waiting.id = held.id and waiting.lease_until = held.lease_until
    returning waiting.partner_id as "partnerId", waiting.id, waiting.lease_until as "leaseUntil"`.execute(
    database.query,
  )
  const renewed = new Map(rows.map((row) => [`${row.partnerId} ${row.id}`, row.leaseUntil]))
  for (const lease of leases) {
    const leaseUntil = renewed.get(`${lease.partnerId} ${lease.id}`) ?? lease.leaseUntil
    lease.leaseUntil = leaseUntil
    lease.sent = lease.sent.filter((end) => Temporal.Instant.compare(end, leaseUntil) > 0)
  }
}
