/** Reads which history of the database cluster the server continues. */
import type { Database } from './database.ts'
import { errorCodeOf } from './database-unavailable.ts'

/** What a server responds that does not let our user read it. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** A promotion begins a new timeline: that of a replica, and that of a restore. The first one has the number 1. */
export type Timeline = { readonly cluster: string; readonly number: number }

/** Null on a replica, and where the server does not let our user read it. */
export async function readTimeline({ pool }: Pick<Database<unknown>, 'pool'>): Promise<Timeline | null> {
  try {
    const { rows } = await pool.query<{ cluster: string; file: string | null }>(
      `select (select system_identifier::text from pg_control_system()) as cluster,
         case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as file`,
    )
    const [{ cluster = '', file = null } = {}] = rows
    // The first eight digits of a WAL file's name are its timeline.
    return file === null ? null : { cluster, number: Number.parseInt(file.slice(0, 8), 16) }
  } catch (error) {
    if (errorCodeOf(error) === INSUFFICIENT_PRIVILEGE) {
      return null
    }
    throw error
  }
}

/** As it is recorded: clusters are numbered from 1 each. */
export function timelineName({ cluster, number }: Timeline): string {
  return `${cluster}/${number}`
}
