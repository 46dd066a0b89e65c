/** Reads whether requests of partners have been written since, for open pages that show the latest ones. */
import { sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import type { VersionReader } from '../live/live-versions.ts'

/** The subject of pages that show the requests of all partners; the others are ids of partners. */
export const ALL_PARTNERS = 'all'

/** The size of a partner's log, which every batch that is written changes. */
export function requestLogVersions({ query }: Queryable): VersionReader {
  return async (subjects) => {
    const ids = subjects.map((subject) => (subject === ALL_PARTNERS ? null : subject))
    const { rows } = await sql<{ subject: string; version: string }>`
      select coalesce(k.id::text, ${ALL_PARTNERS}) as subject, case when k.id is null
        then (select concat(sum(bytes)) from request_log_sizes)
        else (select concat(sum(bytes)) from request_log_sizes where partner_id = k.id) end as version
      from unnest(${ids}::uuid[]) as k (id)`.execute(query)
    return new Map(rows.map(({ subject, version }) => [subject, version]))
  }
}
