/** Counts rejected requests by day and code, and reads whether requests of partners have been written since. */
import { sql } from 'kysely'
import { startOfReportingDay } from '../countries/bank-days.ts'
import {
  COUNTED_ROWS,
  PARTNERS,
  type PartnerRows,
  partnerListFilter,
  readableOfEachPartner,
} from '../partners/partner-rows.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { lowestIdAt } from '../platform/ids.ts'
import type { RequestScope } from './find-requests.ts'

/** Requests that held salaries are seen with the right to them only. */
export const requestRows = ({ payrolls }: Pick<RequestScope, 'payrolls'>): PartnerRows => ({
  table: 'request_log',
  noun: 'request',
  label: sql`method || ' ' || path`,
  where: sql`(${payrolls} or not is_payroll)`,
})

/** How many requests were rejected with a code on a day. */
export type ErrorCount = { readonly day: string; readonly code: string; readonly count: number }

/** Of each day the newest requests; those without a code count by their HTTP status. */
export async function countErrors(
  database: Queryable,
  { partnerId, payrolls }: RequestScope,
  days: readonly Temporal.PlainDate[],
): Promise<readonly ErrorCount[]> {
  const { max, min } = COUNTED_ROWS
  const limit = await readableOfEachPartner(database, partnerId, { max: max / days.length, min })
  const startOf = (day: Temporal.PlainDate) => lowestIdAt(startOfReportingDay(day))
  const { rows } = await sql<ErrorCount>`
    select d.day, c.code, count(*)::int as count
    from unnest(${days.map(String)}::text[], ${days.map(startOf)}::uuid[],
        ${days.map((day) => startOf(day.add({ days: 1 })))}::uuid[]) as d(day, from_id, before_id),
      ${PARTNERS}, lateral (
        select * from request_log
        where partner_id = o.id and status >= 400 and id >= d.from_id and id < d.before_id
        order by id desc limit ${limit}) r, lateral (
        select distinct code from unnest(coalesce(r.error_codes, array['HTTP ' || r.status])) as code) c
    where ${partnerListFilter(partnerId)} and (${payrolls} or not r.is_payroll)
    group by d.day, c.code order by d.day desc, count desc, c.code`.execute(database.query)
  return rows
}

/** The subject of the versions of all partners' requests; the others are ids of partners. */
export const ALL_PARTNERS = 'all'

/** The size of each partner's log, which every batch that is written changes. */
export async function readRequestLogVersions(
  { query }: Queryable,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = subjects.map((subject) => (subject === ALL_PARTNERS ? null : subject))
  const { rows } = await sql<{ subject: string; version: string }>`
    select coalesce(k.id::text, ${ALL_PARTNERS}) as subject, case when k.id is null
      then (select concat(sum(bytes)) from request_log_sizes)
      else (select concat(sum(bytes)) from request_log_sizes where partner_id = k.id) end as version
    from unnest(${ids}::uuid[]) as k (id)`.execute(query)
  return new Map(rows.map(({ subject, version }) => [subject, version]))
}
