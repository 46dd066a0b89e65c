/** Every query on authorisation requests, grants and tokens. */

import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { hashToken } from '../../../gateway/platform/ids.ts'
import { findRow, selectRows } from '../../rows.ts'
import type { Authorisation } from '../authorisations/authorisation.ts'
import type { Context } from '../context.ts'
import type { GrantTable, RequestTable, TokenTable } from './oauth-tables.ts'

export type Grant = Selectable<GrantTable>
export type GrantedToken = Selectable<TokenTable> & Omit<Grant, 'id' | 'created_at'>

/** The browser's link to a request, at a bank by its BIC. */
export type GrantLink = { readonly bank: string; readonly id: string; readonly token: string }

/** Finds a request by the browser's link, and locks it until the transaction ends. */
export async function lockRequest(context: Context, { bank, id, token }: GrantLink): Promise<GrantRequest | undefined> {
  return await findRow(context, 'oauth_requests', { bank, id, link_hash: hashToken(token) }, { lock: true })
}

/** The same by the code of a token request. */
export async function lockRequestByCode(
  context: Context,
  bank: string,
  code: string,
): Promise<GrantRequest | undefined> {
  return await findRow(context, 'oauth_requests', { bank, code_hash: hashToken(code) }, { lock: true })
}

/** Whether a third party has ever been issued tokens for a scope. */
export async function wasGranted(context: Context, bank: string, scope: string): Promise<boolean> {
  return (await findRow(context, 'oauth_grants', { bank, scope })) !== undefined
}

/** Revokes a grant and thereby all of its tokens. */
export async function revokeGrant({ database }: Context, id: string, at: Temporal.Instant): Promise<void> {
  await database.query
    .updateTable('oauth_grants')
    .set({ ended_at: at.toString() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

export async function grantedToken(
  { database }: Context,
  bank: string,
  token: string,
): Promise<GrantedToken | undefined> {
  return await database.query
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .selectAll('oauth_tokens')
    .select(['bank', 'client_id', 'user_id', 'scope', 'ended_at'])
    .where('bank', '=', bank)
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
}

export async function recordTokenUse({ database }: Context, token: GrantedToken, at: Temporal.Instant): Promise<void> {
  await database.query
    .updateTable('oauth_tokens')
    .set({ used_at: at.toString() })
    .where('token_hash', '=', token.token_hash)
    .execute()
}

/** The newest authorisation of a resource, of any kind. */
export async function newestAuthorisation(
  context: Context,
  bank: string,
  resourceId: string,
): Promise<Authorisation | undefined> {
  const newest = { order: ['position'], isDescending: true, limit: 1 } as const
  const [found] = await selectRows(context, 'authorisations', { bank, resource_id: resourceId }, newest)
  return found
}

/** Selects tokens of a bank, optionally of one kind or one user. */
export type TokenFilter = {
  readonly bank: string
  readonly kind: TokenTable['kind'] | null
  readonly userId: string | null
}

/** Expires tokens; returns their number. */
export async function expireTokens(
  { database }: Context,
  { bank, kind, userId }: TokenFilter,
  at: Temporal.Instant,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update oauth_tokens set expires_at = ${at.toString()} where kind = coalesce(${kind}, kind)
      and grant_id in (select id from oauth_grants where bank = ${bank} and user_id = coalesce(${userId}, user_id))`.execute(
    database.query,
  )
  return Number(numAffectedRows)
}

/** Revokes grants of a bank's users; returns their number. */
export async function endGrantsMatching(
  { database }: Context,
  { bank, userId }: Pick<TokenFilter, 'bank' | 'userId'>,
  at: Temporal.Instant,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update oauth_grants set ended_at = ${at.toString()}
    where bank = ${bank} and ended_at is null and user_id = coalesce(${userId}, user_id)`.execute(database.query)
  return Number(numAffectedRows)
}

/** The original redirect URL of an authorisation; during a grant's SCA the browser returns to the server's own. */
export async function redirectOfAuthorisation(
  context: Context,
  { id, redirect_uri: own }: Authorisation,
): Promise<string | null> {
  const newest = { order: ['created_at'], isDescending: true, limit: 1 } as const
  const [earlier] = await selectRows(context, 'oauth_requests', { authorisation_id: id }, newest)
  return earlier?.redirect_uri ?? own
}

/** Expires codes of a bank; returns their number. */
export async function expireCodes({ database }: Context, bank: string, at: Temporal.Instant): Promise<number> {
  const { numUpdatedRows } = await database.query
    .updateTable('oauth_requests')
    .set({ code_expires_at: at.toString() })
    .where('bank', '=', bank)
    .where('code_hash', 'is not', null)
    .where('grant_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export type GrantRequest = Selectable<RequestTable>

/** Lifetime of a code; its exchange takes a redirect and one call. */
export const CODE_SECONDS = 60
/** Time limit of a login. */
export const LOGIN_MINUTES = 10

/** Errors in a redirect (RFC 6749, 4.1.2.1). */
export type RedirectError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'temporarily_unavailable'

/** The redirect to the third party, with its `state`. */
export function redirectWithAnswer(
  { redirect_uri: uri, state }: Pick<GrantRequest, 'redirect_uri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries({ ...answer, ...(state === null ? {} : { state }) })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

/** The same for an error. */
export function redirectWithError(
  request: Pick<GrantRequest, 'redirect_uri' | 'state'>,
  error: RedirectError,
  text: string,
): string {
  return redirectWithAnswer(request, { error, error_description: text })
}

/** Whether a code verifier matches the request's challenge (RFC 7636, S256). */
export function matchesChallenge({ code_challenge: challenge }: GrantRequest, verifier: string): boolean {
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}
