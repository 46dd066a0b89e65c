/** Describes payments and payrolls in a few words, for the tasks of operators, who see no amount of a payroll. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'

type Key = { readonly partnerId: string; readonly id: string }

/** A payment, a payroll, or an order of a payroll, which names neither amount nor receiver. */
export type OrderSubject = Key & {
  /** Null for a payment. */
  readonly payrollId: string | null
  readonly transactionCount: number | null
  readonly bic: string
  readonly dueDate: Temporal.PlainDate
  readonly countryCode: string
  readonly organisationNumber: string
  readonly creditorName: string | null
  readonly amount: string | null
  readonly currency: string | null
}

/** Those that exist of these keys. */
export async function listOrderSubjects({ query }: Queryable, keys: readonly Key[]): Promise<readonly OrderSubject[]> {
  const { rows } = await sql<OrderSubject>`
    select t.partner_id as "partnerId", t.id, r.id as "payrollId", r.transaction_count as "transactionCount",
      coalesce(p.bic, r.bic) as bic, coalesce(p.due_date, r.due_date) as "dueDate",
      coalesce(p.country_code, r.country_code) as "countryCode",
      coalesce(p.organisation_number, r.organisation_number) as "organisationNumber",
      p.ordered::json -> 'to' -> 'contactInformation' ->> 'name' as "creditorName",
      p.ordered::json -> 'amount' ->> 'amount' as amount, p.ordered::json -> 'amount' ->> 'currency' as currency
    from unnest(${keys.map(({ partnerId }) => partnerId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as t (partner_id, id)
      left join payments p on p.partner_id = t.partner_id and p.id = t.id
      left join payrolls r on r.partner_id = t.partner_id and r.id = coalesce(p.payroll_id, t.id)
    where p.id is not null or r.id is not null`.execute(query)
  return rows
}
