/** Compares columns of timestamps in typed queries, which take points in time as text only. */
import { type RawBuilder, sql } from 'kysely'

/** A point in time as a parameter of a query. */
export function timestamp(at: Temporal.Instant): RawBuilder<Temporal.Instant> {
  return sql<Temporal.Instant>`${at.toString()}::timestamptz`
}
