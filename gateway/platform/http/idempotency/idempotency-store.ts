/** Queries on the table of idempotency keys. */
import { sql } from 'kysely'
import type pg from 'pg'
import { rowQuery, rowStatement } from '../../database/coalesce.ts'
import type { Queryable } from '../../database/in-transaction.ts'

/** What identifies a request. */
export type IdempotencyKey = {
  readonly partnerId: string
  /** Method and path. */
  readonly operation: string
  readonly key: string
  /** Keyed digest of body and consent. */
  readonly fingerprint: string
}

/** The stored state of an earlier request with this key. */
export type StoredRequest = {
  readonly fingerprint: string
  readonly subjectId: string | null
  readonly outcomeUnknown: boolean
  readonly startedAt: Temporal.Instant
  /** Null while the request runs. */
  readonly status: number | null
  readonly sealedAnswer: Buffer | null
}

/** A starting request with the id of what it creates, by the members of the row that creates it. */
export type IdempotencyStart = {
  readonly partnerId: string
  readonly idempotencyOperation: string
  readonly idempotencyKey: string
  readonly idempotencyFingerprint: string
  readonly idempotencySubjectId: string
  readonly idempotencyStartedAt: Temporal.Instant
}

/** The response to store, by the members of the row that completes its subject; the answer is hexadecimal. */
export type IdempotencyAnswer = {
  readonly partnerId: string
  readonly idempotencyOperation: string
  readonly idempotencyKey: string
  readonly idempotencyStatus: number
  readonly idempotencyAnswer: string
  readonly idempotencyFinishedAt: Temporal.Instant
}

/** The stored requests of these keys, in the order of the keys; null for a new key. */
export async function findRequests(
  pool: pg.Pool,
  keys: readonly IdempotencyKey[],
): Promise<readonly (StoredRequest | null)[]> {
  const { rows } = await pool.query<StoredRequest & { position: number }>(
    rowQuery(
      FIND_BY_KEYS,
      keys.map(({ partnerId, operation, key }, position) => ({ position, partner_id: partnerId, operation, key })),
    ),
  )
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return keys.map((_, position) => byPosition.get(position) ?? null)
}

const FIND_BY_KEYS = rowStatement(
  'idempotency-by-key',
  { position: 'int', partner_id: 'uuid', operation: 'text', key: 'text' },
  (keys) => `with a ${keys}
    select a.position, k.fingerprint, k.subject_id as "subjectId", k.outcome_unknown as "outcomeUnknown",
      k.started_at as "startedAt", k.status, k.answer as "sealedAnswer"
    from a join idempotency k on k.partner_id = a.partner_id and k.operation = a.operation and k.key = a.key`,
)

/**
 * Stores a starting request, with its response where that is known; an existing key fails the statement with
 * `idempotency_pkey`.
 */
export async function insertRequest(
  { query }: Queryable,
  started: IdempotencyStart,
  answered: IdempotencyAnswer | null,
): Promise<void> {
  await sql`
    insert into idempotency (partner_id, operation, key, fingerprint, subject_id, started_at, status, answer, finished_at)
    values (${started.partnerId}, ${started.idempotencyOperation}, ${started.idempotencyKey},
      ${started.idempotencyFingerprint}, ${started.idempotencySubjectId}, ${started.idempotencyStartedAt.toString()},
      ${answered?.idempotencyStatus ?? null}, decode(${answered?.idempotencyAnswer ?? null}, 'hex'),
      ${answered?.idempotencyFinishedAt.toString() ?? null})`.execute(query)
}

/** Stores the response of a request that was stored when it started. */
export async function updateWithAnswer({ query }: Queryable, answered: IdempotencyAnswer): Promise<void> {
  await sql`
    update idempotency set status = ${answered.idempotencyStatus}, answer = decode(${answered.idempotencyAnswer}, 'hex'),
      finished_at = ${answered.idempotencyFinishedAt.toString()}
    where partner_id = ${answered.partnerId} and operation = ${answered.idempotencyOperation}
      and key = ${answered.idempotencyKey}`.execute(query)
}

/** Frees the key of a request without a response whose subject was deleted. */
export async function deleteOpenRequest(
  { query }: Queryable,
  request: Pick<IdempotencyKey, 'partnerId' | 'operation' | 'key'> & { readonly subjectId: string },
): Promise<void> {
  await sql`
    delete from idempotency where partner_id = ${request.partnerId} and operation = ${request.operation}
      and key = ${request.key} and subject_id = ${request.subjectId} and status is null`.execute(query)
}

/**
 * Starts a request; false when the key is in use. A request that started before `abandonedBefore`, never ended and
 * created nothing was abandoned by a process that died: its key is reused.
 */
export async function claimRequest(
  pool: pg.Pool,
  key: IdempotencyKey,
  times: { readonly now: Temporal.Instant; readonly abandonedBefore: Temporal.Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into idempotency (partner_id, operation, key, fingerprint, started_at) values ($1, $2, $3, $4, $5)
     on conflict (partner_id, operation, key) do update set started_at = excluded.started_at, fingerprint = excluded.fingerprint
     where idempotency.status is null and idempotency.subject_id is null and idempotency.started_at < $6`,
    [key.partnerId, key.operation, key.key, key.fingerprint, times.now.toString(), times.abandonedBefore.toString()],
  )
  return rowCount === 1
}

/** A response as it is stored. */
type SealedAnswer = { readonly status: number; readonly sealed: Buffer; readonly at: Temporal.Instant }

/**
 * What becomes of an equal request that is open under the key. A key that another request took meanwhile belongs to that
 * one: a row with a subject gets its response from the request that created the subject.
 */
const ON_OPEN_REQUEST = {
  answered: `update set status = excluded.status, answer = excluded.answer, finished_at = excluded.finished_at
    where idempotency.status is null and idempotency.subject_id is null
      and idempotency.fingerprint = excluded.fingerprint`,
  kept: 'nothing',
}

/**
 * Stores a response for repetitions of the request, also where the row of the request is lost; the first stored response
 * stays. False when nothing was stored.
 */
export async function storeAnswer(
  pool: pg.Pool,
  { partnerId, operation, key, fingerprint }: IdempotencyKey,
  { status, sealed, at }: SealedAnswer,
  openRequest: keyof typeof ON_OPEN_REQUEST,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into idempotency (partner_id, operation, key, fingerprint, started_at, status, answer, finished_at)
     values ($1, $2, $3, $4, $7, $5, $6, $7)
     on conflict (partner_id, operation, key) do ${ON_OPEN_REQUEST[openRequest]}`,
    [partnerId, operation, key, fingerprint, status, sealed, at.toString()],
  )
  return rowCount === 1
}

/** Stores the response of a request whose outcome was unknown when it ended. */
export async function storeLateAnswer(
  pool: pg.Pool,
  { partnerId, operation, key }: Omit<IdempotencyKey, 'fingerprint'>,
  answer: SealedAnswer,
): Promise<void> {
  await pool.query(
    `update idempotency set status = $4, answer = $5, finished_at = $6, outcome_unknown = false
     where partner_id = $1 and operation = $2 and key = $3 and status is null`,
    [partnerId, operation, key, answer.status, answer.sealed, answer.at.toString()],
  )
}

/** Frees a key whose request had no effect. Executed again, it leaves the start of a repetition, which is another one. */
export async function releaseKey(pool: pg.Pool, key: IdempotencyKey, startedAt: Temporal.Instant): Promise<void> {
  await pool.query(
    `delete from idempotency where partner_id = $1 and operation = $2 and key = $3 and started_at = $4
       and status is null and subject_id is null`,
    [key.partnerId, key.operation, key.key, startedAt.toString()],
  )
}
