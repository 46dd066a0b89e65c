/** Every query on the bank's authorisations. */
import { sql } from 'kysely'
import { executePrepared } from '../../../gateway/platform/database/in-transaction.ts'
import { hashToken, isId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import type { Authorisation, ScaSubject } from './authorisation.ts'

/** Finds an authorisation by the browser's link; a wrong token, or what is no id, finds nothing. */
export async function authorisationByLink(
  { database }: Context,
  id: string,
  token: string,
): Promise<Authorisation | undefined> {
  if (!isId(id)) {
    return undefined
  }
  const statement = database.query
    .selectFrom('authorisations')
    .selectAll()
    .where('id', '=', id)
    .where('token_hash', '=', hashToken(token))
  return (await executePrepared(database, statement)).rows[0]
}

/** The authorisations of one resource and kind, oldest first. */
export async function authorisationsOf(
  { database }: Context,
  subject: ScaSubject,
  resourceId: string,
): Promise<readonly Authorisation[]> {
  const statement = database.query
    .selectFrom('authorisations')
    .selectAll()
    .where('resource_id', '=', resourceId)
    .where('subject', '=', subject)
    .orderBy('position')
  return (await executePrepared(database, statement)).rows
}

/** All authorisations of several resources, by the resource and oldest first. */
export async function authorisationsByResource(
  { database }: Context,
  resources: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly Authorisation[]>> {
  const ids = resources.map(({ id }) => id)
  const { rows } = await sql<Authorisation>`
    select * from authorisations where resource_id = any(${ids}::uuid[]) order by position`.execute(database.query)
  return Map.groupBy(rows, (authorisation) => authorisation.resource_id)
}

export async function authorisationByCode({ database }: Context, token: string): Promise<Authorisation | undefined> {
  return await database.query
    .selectFrom('authorisations')
    .selectAll()
    .where('code_token', '=', token)
    .executeTakeFirst()
}

/** Those whose code expired without being scanned, except those with these ids. */
export async function authorisationsWithExpiredCode(
  { database }: Context,
  at: Temporal.Instant,
  exceptIds: readonly string[],
): Promise<readonly Authorisation[]> {
  const statement = database.query
    .selectFrom('authorisations')
    .selectAll()
    .where(sql<boolean>`code_expires_at <= ${at.toString()}::timestamptz and id::text <> all(${exceptIds}::text[])`)
    .orderBy('position')
  return (await executePrepared(database, statement)).rows
}

/** When the next unscanned code expires, in wall time, except those with these ids; null when there is none. */
export async function nextCodeExpiry(
  { database }: Context,
  exceptIds: readonly string[],
): Promise<Temporal.Instant | null> {
  const statement = database.query
    .selectFrom('authorisations')
    .select(({ fn }) => fn.min('code_expires_at').as('at'))
    .where(sql<boolean>`id::text <> all(${exceptIds}::text[])`)
  return (await executePrepared(database, statement)).rows[0]?.at ?? null
}

/** Those that users can complete in their apps now, newest first: not those whose method is still to be chosen. */
export async function authorisationsInApps({ database }: Context, limit: number): Promise<readonly Authorisation[]> {
  return await database.query
    .selectFrom('authorisations')
    .selectAll()
    .where('approach', '=', 'app')
    .where('outcome', 'is', null)
    .where('sca_status', '!=', 'psuAuthenticated')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
}

/** The latest authorisations of a bank or of one resource, newest first. */
export async function latestAuthorisations(
  { database }: Context,
  { bank, resource, onlyOpen }: { readonly bank?: string; readonly resource?: string; readonly onlyOpen: boolean },
  limit: number,
): Promise<readonly Authorisation[]> {
  let statement = database.query.selectFrom('authorisations').selectAll().orderBy('position', 'desc').limit(limit)
  statement = bank === undefined ? statement : statement.where('bank', '=', bank)
  statement = resource === undefined ? statement : statement.where('resource_id', '=', resource)
  return await (onlyOpen ? statement.where('outcome', 'is', null) : statement).execute()
}
