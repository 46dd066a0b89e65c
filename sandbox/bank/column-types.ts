/** Column types that several tables of the sandbox bank share. */
import type { ColumnType } from 'kysely'

export type Timestamp = ColumnType<Temporal.Instant, string, string>

export type OptionalTimestamp = ColumnType<Temporal.Instant | null, string | null, string | null>

export type Day = ColumnType<Temporal.PlainDate, string, string>

export type Json<Value> = ColumnType<Value, string, string>
