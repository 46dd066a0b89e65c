/** Queries on the request log. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import pg from 'pg'
import { PARTNERS, partnerListFilter } from '../partners/partner-rows.ts'
import { copyLine, copyRows } from '../platform/database/buffered-writer.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { allOf } from '../platform/database/sql-fragments.ts'
import type { BatchRange } from '../platform/jobs/batch-purge.ts'
import type { ListedRequest, LoggedRequest, RequestFilter, RequestSubject } from './logged-request.ts'

/** The stored size of a request without its bodies. */
const ROW_BYTES = 300
const TABLE = 'request_log'
const COLUMNS = [
  'partner_id',
  'id',
  'client_id',
  'method',
  'path',
  'status',
  'milliseconds',
  'is_payroll',
  'error_codes',
  'unknown_fields',
  'subject_type',
  'subject_id',
  'idempotency_key',
  'headers',
  'request_body',
  'response_body',
  'bytes',
] as const

export type RequestRow = { readonly partnerId: string; readonly bytes: number; readonly line: Buffer }

export function requestRow(request: LoggedRequest): RequestRow {
  const { partnerId, subject, errorCodes, requestBody, responseBody } = request
  const unknownFields = request.unknownFields.length === 0 ? null : JSON.stringify(request.unknownFields)
  const texts = [unknownFields, requestBody, responseBody]
  const bytes = texts.reduce((sum, text) => sum + (text?.length ?? 0), ROW_BYTES)
  const line = copyLine([
    partnerId,
    request.id,
    request.clientId,
    request.method,
    request.path,
    request.status,
    request.milliseconds,
    request.isPayroll,
    errorCodes.length === 0 ? null : errorCodes,
    unknownFields,
    subject?.type ?? null,
    subject?.id ?? null,
    request.idempotencyKey,
    JSON.stringify(request.headers),
    requestBody,
    responseBody,
    bytes,
  ])
  return { partnerId, bytes, line }
}

/** Writes requests and adds their size to that of their partners. */
export async function insertRequests(database: Database<unknown>, rows: readonly RequestRow[]): Promise<void> {
  const sizes = new Map<string, number>()
  for (const { partnerId, bytes } of rows) {
    sizes.set(partnerId, (sizes.get(partnerId) ?? 0) + bytes)
  }
  // In the order of the key, so that two processes cannot deadlock on them.
  const totals = [...sizes].sort().map(([partnerId, bytes]) => `(${pg.escapeLiteral(partnerId)}, ${bytes})`)
  const before = `insert into request_log_sizes as s values ${totals.join(', ')}
    on conflict (partner_id) do update set bytes = s.bytes + excluded.bytes`
  const lines = rows.map(({ line }) => line)
  await copyRows(database, { table: TABLE, columns: COLUMNS, before }, lines)
}

const LISTED = sql`r.partner_id as "partnerId", o.name as "partnerName", r.id, r.client_id as "clientId", r.method, r.path,
  r.status, r.milliseconds, r.is_payroll as "isPayroll", coalesce(r.error_codes, '{}') as "errorCodes",
  coalesce(r.unknown_fields, '[]') as "unknownFields",
  case when r.subject_id is not null then json_build_object('type', r.subject_type, 'id', r.subject_id) end as subject,
  r.idempotency_key as "idempotencyKey"`

/** How many rows a search returns, and how many of each partner it reads at most to find them. */
export type SearchLimits = { readonly rows: number; readonly readPerPartner: number }

/** Exported for the test of its plan. */
export function searchQuery(filter: RequestFilter, limits: SearchLimits): RawBuilder<ListedRequest> {
  return sql<ListedRequest>`
    select ${LISTED} from ${PARTNERS}, lateral (
      select * from (${candidatesOf(filter, limits.readPerPartner)}) c
      where ${isSought(filter)} order by id desc limit ${limits.rows}) r
    where ${partnerListFilter(filter.partnerId)}
    order by r.id desc limit ${limits.rows}`
}

/** Newest first. */
export async function searchRequests(
  { query }: Queryable,
  filter: RequestFilter,
  limits: SearchLimits,
): Promise<readonly ListedRequest[]> {
  return (await searchQuery(filter, limits).execute(query)).rows
}

/** The id down to which a search has read every partner's requests; undefined when it has read all. */
export async function findSearchEnd(
  { query }: Queryable,
  filter: RequestFilter,
  readPerPartner: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${PARTNERS}, lateral (
      select id from (${candidatesOf(filter, readPerPartner)}) c order by id desc offset ${readPerPartner - 1}) r
    where ${partnerListFilter(filter.partnerId)} order by r.id desc limit 1`.execute(query)
  return rows[0]?.id
}

/** What the primary key, or the index of errors, returns in order. */
function candidatesOf(filter: RequestFilter, limit: number): RawBuilder<unknown> {
  const { fromId, beforeId, statusClass, errorCode } = filter
  const isOfErrors = errorCode !== undefined || (statusClass !== undefined && statusClass !== '2xx')
  const isCandidate = allOf(
    sql`partner_id = o.id`,
    isOfErrors && sql`status >= 400`,
    fromId !== undefined && sql`id >= ${fromId}::uuid`,
    beforeId !== undefined && sql`id < ${beforeId}::uuid`,
  )
  return sql`select * from request_log where ${isCandidate} order by id desc limit ${limit}`
}

function isSought({ payrolls, method, statusClass, path, errorCode }: RequestFilter): RawBuilder<SqlBool> {
  const lowest = Number(statusClass?.[0]) * 100
  return allOf(
    sql`(${payrolls} or not is_payroll)`,
    method !== undefined && sql`method = ${method}`,
    statusClass !== undefined && statusClass !== 'errors' && sql`status >= ${lowest} and status < ${lowest + 100}`,
    path !== undefined && sql`starts_with(path, ${path})`,
    errorCode !== undefined && sql`${errorCode} = any(error_codes)`,
  )
}

/** One that the viewer may see. */
export async function findRequest(
  { query }: Queryable,
  { partnerId, payrolls }: Pick<RequestFilter, 'partnerId' | 'payrolls'>,
  id: string,
): Promise<(ListedRequest & LoggedRequest) | undefined> {
  const { rows } = await sql<ListedRequest & LoggedRequest>`
    select ${LISTED}, r.headers, r.request_body as "requestBody", r.response_body as "responseBody"
    from ${PARTNERS}, lateral (
      select * from request_log where partner_id = o.id and id = ${id}::uuid and (${payrolls} or not is_payroll)) r
    where ${partnerListFilter(partnerId)}`.execute(query)
  return rows[0]
}

/** The last request within a range of ids that ordered a subject. */
export async function findOrderingRequest(
  { query }: Queryable,
  { partnerId, id: subjectId }: { readonly partnerId: string } & Pick<RequestSubject, 'id'>,
  between: { readonly fromId: string; readonly beforeId: string },
): Promise<Pick<LoggedRequest, 'id' | 'milliseconds'> | undefined> {
  const { rows } = await sql<Pick<LoggedRequest, 'id' | 'milliseconds'>>`
    select id, milliseconds from request_log
    where partner_id = ${partnerId} and id >= ${between.fromId}::uuid and id < ${between.beforeId}::uuid
      and subject_id = ${subjectId}::uuid and method = 'POST'
    order by id desc limit 1`.execute(query)
  return rows[0]
}

/**
 * Deletes a partner's oldest requests below an id, and subtracts their size from the partner's, which is nothing when there
 * are none; returns how many.
 */
const DELETE = `
  with oldest as materialized (
      select partner_id, id from request_log where partner_id = $1 and id < $2::uuid
      order by id limit $3 offset $4),
    deleted as (
      delete from request_log r using oldest o where r.partner_id = o.partner_id and r.id = o.id returning r.bytes),
    total as (select count(*)::int as rows, coalesce(sum(bytes), 0) as bytes from deleted),
    size as (
      update request_log_sizes set bytes = case when rows = 0 then 0 else greatest(0, request_log_sizes.bytes - total.bytes) end
      from total
      where partner_id = $1)
  select rows from total`

export async function deleteOldestRequests(
  { pool }: Database<unknown>,
  { partnerId, belowId }: { readonly partnerId: string; readonly belowId: string },
  { limit, offset }: BatchRange,
): Promise<number> {
  const { rows } = await pool.query<{ rows: number }>(DELETE, [partnerId, belowId, limit, offset])
  return rows[0]?.rows ?? 0
}

export async function listPartnersWithRequestsBelow(
  { pool }: Database<unknown>,
  belowId: string,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ partner_id: string }>(
    `select s.partner_id from request_log_sizes s, lateral (
       select 1 from request_log where partner_id = s.partner_id and id < $1::uuid limit 1) r`,
    [belowId],
  )
  return rows.map(({ partner_id }) => partner_id)
}

/** The size of all requests, and the partner that has most of it. */
export async function findLogSize({
  pool,
}: Database<unknown>): Promise<{ readonly bytes: number; readonly largestPartnerId: string } | undefined> {
  const { rows } = await pool.query<{ bytes: number; largestPartnerId: string }>(
    `select sum(bytes) over ()::float8 as bytes, partner_id as "largestPartnerId"
     from request_log_sizes order by request_log_sizes.bytes desc limit 1`,
  )
  return rows[0]
}
