/** Parts of statements that write the table of idempotency keys together with what the requests create. */
import { type RawBuilder, sql } from 'kysely'

/** The columns of a starting request in a row that creates its subject too; all are null without a key. */
export const IDEMPOTENCY_START_COLUMNS = {
  idempotency_operation: 'text',
  idempotency_key: 'text',
  idempotency_fingerprint: 'text',
  idempotency_subject_id: 'uuid',
  idempotency_started_at: 'timestamptz',
} as const

/** The columns of a response in a row that completes its subject too; all are null without a key. */
export const IDEMPOTENCY_ANSWER_COLUMNS = {
  idempotency_operation: 'text',
  idempotency_key: 'text',
  idempotency_status: 'int',
  idempotency_answer: 'text',
  idempotency_finished_at: 'timestamptz',
} as const

/**
 * The SQL fragment that starts requests: rows come from relation `requests`. An existing key fails the statement with
 * `idempotency_pkey`.
 */
export const INSERT_REQUESTS_SQL = `
  insert into idempotency (partner_id, operation, key, fingerprint, subject_id, started_at)
  select partner_id, idempotency_operation, idempotency_key, idempotency_fingerprint, idempotency_subject_id,
    idempotency_started_at
  from requests where idempotency_key is not null`

/** The SQL fragment that stores responses: rows come from relation `responses`. */
export const STORE_ANSWERS_SQL = `
  update idempotency k set status = a.idempotency_status, answer = decode(a.idempotency_answer, 'hex'),
    finished_at = a.idempotency_finished_at, outcome_unknown = false
  from responses a
  where k.partner_id = a.partner_id and k.operation = a.idempotency_operation and k.key = a.idempotency_key`

/** Which open requests of a partner created the subjects in the relation `r`, by their `operation` and `key`. */
const isOpenRequestOf = (partnerId: string) => sql`
  k.partner_id = ${partnerId} and k.operation = r.operation and k.key = r.key and k.status is null`

/** The SQL fragment that frees the keys of open requests whose subjects another part of the statement deletes. */
export function deleteOpenRequestsSql(partnerId: string, subjects: string): RawBuilder<unknown> {
  return sql`delete from idempotency k using ${sql.table(subjects)} r where ${isOpenRequestOf(partnerId)}`
}

/** The SQL fragment that marks the outcome of open requests as unknown, like that of their subjects. */
export function markOpenRequestsUnknownSql(partnerId: string, subjects: string): RawBuilder<unknown> {
  return sql`
    update idempotency k set outcome_unknown = true from ${sql.table(subjects)} r where ${isOpenRequestOf(partnerId)}`
}
