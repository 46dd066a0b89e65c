/** Every query on the bank's authorisations. */

import { sql } from 'kysely'
import { executePrepared } from '../../../gateway/platform/database/in-transaction.ts'
import { hashToken, isId } from '../../../gateway/platform/ids.ts'
import { findRow, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Authorisation, ScaSubject } from './authorisation.ts'

/** Finds an authorisation by the browser's link; a wrong token, or what is no id, finds nothing. */
export async function authorisationByLink(
  context: Context,
  id: string,
  token: string,
): Promise<Authorisation | undefined> {
  return isId(id) ? await findRow(context, 'authorisations', { id, token_hash: hashToken(token) }) : undefined
}

/** The authorisations of one resource and kind, oldest first. */
export async function authorisationsOf(
  context: Context,
  subject: ScaSubject,
  resourceId: string,
): Promise<readonly Authorisation[]> {
  return await selectRows(context, 'authorisations', { subject, resource_id: resourceId }, { order: ['position'] })
}

/** All authorisations of several resources, by the resource and oldest first. */
export async function authorisationsByResource(
  context: Context,
  resources: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly Authorisation[]>> {
  const where = [sql<boolean>`resource_id = any(${resources.map(({ id }) => id)}::uuid[])`]
  const rows = await selectRows(context, 'authorisations', {}, { where, order: ['position'] })
  return Map.groupBy(rows, (authorisation) => authorisation.resource_id)
}

/** Those whose code expired without being scanned, except those with these ids. */
export async function authorisationsWithExpiredCode(
  context: Context,
  at: Temporal.Instant,
  exceptIds: readonly string[],
): Promise<readonly Authorisation[]> {
  const where = [
    sql<boolean>`code_expires_at <= ${at.toString()}::timestamptz`,
    sql<boolean>`id::text <> all(${exceptIds}::text[])`,
  ]
  return await selectRows(context, 'authorisations', {}, { where, order: ['position'] })
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
export async function authorisationsInApps(context: Context, limit: number): Promise<readonly Authorisation[]> {
  const where = [sql<boolean>`approach = 'app' and outcome is null and sca_status <> 'psuAuthenticated'`]
  const newest = { order: ['position'], isDescending: true, limit } as const
  return await selectRows(context, 'authorisations', {}, { ...newest, where })
}

/** The latest authorisations of a bank or of one resource, newest first. */
export async function latestAuthorisations(
  context: Context,
  filter: { readonly bank?: string; readonly resource_id?: string },
  { onlyOpen, limit }: { readonly onlyOpen: boolean; readonly limit: number },
): Promise<readonly Authorisation[]> {
  const where = onlyOpen ? [sql<boolean>`outcome is null`] : []
  return await selectRows(context, 'authorisations', filter, { where, order: ['position'], isDescending: true, limit })
}
