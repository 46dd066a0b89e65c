/** Queries that list and find payments of one partner, or of all for operators. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'
import { startOfDayForReaders } from '../markup/format-time.ts'
import type { PaymentFilter } from './payment-filter.ts'

/** A payment as the list shows it. */
export type PaymentRow = {
  readonly partnerName: string
  readonly bic: string
  readonly id: string
  readonly createdAt: Temporal.Instant
  readonly organisationNumber: string
  readonly endToEndId: string
  readonly status: PaymentStatusValue
  readonly isOutcomeUnknown: boolean
  readonly dueDate: string
  readonly creditorName: string | null
  /** As the partner ordered it: of a payment with exchange, what the creditor receives. */
  readonly amount: string
  readonly currency: string
}

/** Payments from the newest; `partnerId` is null for operators, who see those of all partners. */
export async function listPaymentsForConsole(
  database: Queryable,
  partnerId: string | null,
  filter: PaymentFilter,
  limit: number,
): Promise<readonly PaymentRow[]> {
  return (await paymentListQuery(partnerId, indexedConditions(filter), limit).execute(database.query)).rows
}

/** The payments with these ids, from the newest. */
export async function listPaymentsById(
  database: Queryable,
  partnerId: string | null,
  ids: readonly string[],
): Promise<readonly PaymentRow[]> {
  const conditions = [sql<SqlBool>`id = any(${[...ids]}::uuid[])`]
  return (await paymentListQuery(partnerId, conditions, ids.length).execute(database.query)).rows
}

/**
 * Reads at most a page of each partner in the order of an index; partners are few. Exported for the test of its plan.
 */
export function paymentListQuery(
  partnerId: string | null,
  conditions: readonly RawBuilder<SqlBool>[],
  limit: number,
): RawBuilder<PaymentRow> {
  return sql<PaymentRow>`
    select o.name as "partnerName", p.bic, p.id, p.created_at as "createdAt",
      p.organisation_number as "organisationNumber", p.end_to_end_id as "endToEndId", p.status,
      p.outcome in ('in-flight', 'unknown') as "isOutcomeUnknown", p.due_date::text as "dueDate",
      p.ordered::json -> 'to' -> 'contactInformation' ->> 'name' as "creditorName",
      p.ordered::json -> 'amount' ->> 'amount' as amount, p.ordered::json -> 'amount' ->> 'currency' as currency
    from partners o, lateral (
      select * from payments where partner_id = o.id and ${sql.join(conditions, sql` and `)}
      order by created_at desc, id desc limit ${limit}) p
    where ${partnerListFilter(partnerId)}
    order by p.created_at desc, p.id desc limit ${limit}`
}

/** The conditions that an index serves, whatever is stored. */
export function indexedConditions(filter: PaymentFilter): readonly RawBuilder<SqlBool>[] {
  const { search, status, organisationNumber, from, to, after } = filter
  // An order of a payroll is no payment of the API.
  const conditions = [sql<SqlBool>`payroll_id is null`]
  if (search !== undefined) {
    conditions.push(
      'id' in search
        ? sql`id = ${search.id}::uuid`
        : // The index on endToEndIds stores the partner's id as text (decision 0085).
          sql`end_to_end_id = ${search.endToEndId} and partner_id::text = o.id::text`,
    )
  }
  if (status !== undefined && status !== UNINDEXED_STATUS) {
    conditions.push(sql`status = ${sql.lit(status)}`)
  }
  if (organisationNumber !== undefined) {
    conditions.push(sql`organisation_number = ${organisationNumber}`)
  }
  if (from !== undefined) {
    conditions.push(sql`created_at >= ${startOfDayForReaders(from).toString()}::timestamptz`)
  }
  if (to !== undefined) {
    conditions.push(sql`created_at < ${startOfDayForReaders(to.add({ days: 1 })).toString()}::timestamptz`)
  }
  if (after !== undefined) {
    conditions.push(sql`(created_at, id) < (${after.createdAt.toString()}::timestamptz, ${after.id}::uuid)`)
  }
  return conditions
}

/** Most payments have it: the index of statuses leaves it out. */
export const UNINDEXED_STATUS = 'Completed'

/** The partner of a payment that the user may see; undefined for an unknown id, and for a payroll's order. */
export async function findPartnerOfPayment(
  database: Queryable,
  partnerId: string | null,
  id: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select o.id, o.name from partners o, lateral (
      select 1 from payments p where p.partner_id = o.id and p.id = ${id}::uuid and p.payroll_id is null) p
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]
}
