/** Queries on the request log. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import pg from 'pg'
import { copyLine, copyRows } from '../platform/database/copy-rows.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { partnerListFilter } from '../platform/database/partner-list-filter.ts'
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

/** A request as it is written. */
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
    select ${LISTED} from partners o, lateral (
      select * from (${candidatesOf(filter, limits.readPerPartner)}) c
      where ${sql.join(conditionsOf(filter), sql` and `)} order by id desc limit ${limits.rows}) r
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
    select r.id from partners o, lateral (
      select id from (${candidatesOf(filter, readPerPartner)}) c order by id desc offset ${readPerPartner - 1}) r
    where ${partnerListFilter(filter.partnerId)} order by r.id desc limit 1`.execute(query)
  return rows[0]?.id
}

/** What the primary key, or the index of errors, returns in order. */
function candidatesOf(filter: RequestFilter, limit: number): RawBuilder<unknown> {
  const { fromId, beforeId } = filter
  const conditions: RawBuilder<SqlBool>[] = [sql`partner_id = o.id`]
  if (isOfErrors(filter)) {
    conditions.push(sql`status >= 400`)
  }
  if (fromId !== undefined) {
    conditions.push(sql`id >= ${fromId}::uuid`)
  }
  if (beforeId !== undefined) {
    conditions.push(sql`id < ${beforeId}::uuid`)
  }
  return sql`select * from request_log where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`
}

function isOfErrors({ statusClass, errorCode }: RequestFilter): boolean {
  return errorCode !== undefined || (statusClass !== undefined && statusClass !== '2xx')
}

function conditionsOf(filter: RequestFilter): readonly RawBuilder<SqlBool>[] {
  const { payrolls, method, statusClass, path, errorCode } = filter
  const conditions: RawBuilder<SqlBool>[] = [payrolls ? sql`true` : sql`not is_payroll`]
  if (method !== undefined) {
    conditions.push(sql`method = ${method}`)
  }
  if (statusClass !== undefined && statusClass !== 'errors') {
    const lowest = Number(statusClass[0]) * 100
    conditions.push(sql`status >= ${lowest} and status < ${lowest + 100}`)
  }
  if (path !== undefined) {
    conditions.push(sql`starts_with(path, ${path})`)
  }
  if (errorCode !== undefined) {
    conditions.push(sql`${errorCode} = any(error_codes)`)
  }
  return conditions
}

/** One that the viewer may see. */
export async function findRequest(
  { query }: Queryable,
  { partnerId, payrolls }: Pick<RequestFilter, 'partnerId' | 'payrolls'>,
  id: string,
): Promise<(ListedRequest & LoggedRequest) | undefined> {
  const { rows } = await sql<ListedRequest & LoggedRequest>`
    select ${LISTED}, r.headers, r.request_body as "requestBody", r.response_body as "responseBody"
    from partners o, lateral (
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
