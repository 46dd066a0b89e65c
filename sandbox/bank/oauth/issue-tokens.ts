/** Exchanges codes and refresh tokens for tokens: each once, and only for the client it was issued to. */

import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow, updateRow } from '../../rows.ts'
import { type Context, inTransaction } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import {
  type Grant,
  type GrantRequest,
  grantedToken,
  lockRequestByCode,
  matchesChallenge,
  recordTokenUse,
  revokeGrant,
} from './oauth-store.ts'

/** The token request; `clientId` is from the certificate, or from the form where no certificate is required. */
export type CodeExchange = {
  readonly clientId: string
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

/** The response of the token endpoint. */
export type Tokens = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

const ACCESS_SECONDS = 60 * 60
/** 180 days, as long as a consent may last in Europe. */
const REFRESH_SECONDS = 180 * 24 * 60 * 60

/** The tokens, or why there are none: thrown only after its changes are committed. */
type Outcome = Tokens | string

/** Exchanges a code. Its second use revokes the tokens of the first: one of the two users has stolen it. */
export async function exchangeCode(context: Context, bank: BankProfile, exchange: CodeExchange): Promise<Tokens> {
  const outcome = await inTransaction(context, async (context): Promise<Outcome> => {
    const request = await lockRequestByCode(context, bank.bic, exchange.code)
    if (request === undefined) {
      return 'The code is not one of ours'
    }
    if (request.grant_id !== null) {
      await revokeGrant(context, request.grant_id, context.clock.real())
      return 'The code was used before'
    }
    const reason = rejectionReason(request, exchange, context.clock.real())
    return reason === null ? await grantTokens(context, request) : reason
  })
  return tokensOf(outcome)
}

/** Exchanges a refresh token; reuse of an old one revokes the whole grant. */
export async function refreshTokens(
  context: Context,
  bank: BankProfile,
  clientId: string,
  refreshToken: string,
): Promise<Tokens> {
  const outcome = await inTransaction(context, async (context): Promise<Outcome> => {
    const found = await grantedToken(context, bank.bic, refreshToken)
    if (found?.kind !== 'refresh' || found.client_id !== clientId) {
      return 'The refresh token is not one of yours'
    }
    // Concurrent uses of one refresh token are serialised.
    await findRow(context, 'oauth_grants', { id: found.grant_id }, { lock: true })
    const now = context.clock.real()
    const current = (await grantedToken(context, bank.bic, refreshToken)) ?? found
    if (current.ended_at !== null) {
      return 'The grant has ended'
    }
    if (current.used_at !== null) {
      await revokeGrant(context, current.grant_id, now)
      return 'The refresh token was used before; the grant has ended'
    }
    if (Temporal.Instant.compare(current.expires_at, now) <= 0) {
      return 'The refresh token has expired'
    }
    await recordTokenUse(context, current, now)
    return await newTokens(context, { id: current.grant_id, scope: current.scope }, now)
  })
  return tokensOf(outcome)
}

/** Why a code is rejected; null when it is valid. */
function rejectionReason(request: GrantRequest, exchange: CodeExchange, now: Temporal.Instant): string | null {
  const { code_expires_at: expiresAt } = request
  if (request.client_id !== exchange.clientId) {
    return 'The code was issued to another client'
  }
  if (request.redirect_uri !== exchange.redirectUri) {
    return 'redirect_uri is not that of the authorisation request'
  }
  if (!matchesChallenge(request, exchange.verifier)) {
    return 'code_verifier does not match code_challenge'
  }
  return expiresAt === null || Temporal.Instant.compare(expiresAt, now) <= 0 ? 'The code has expired' : null
}

async function grantTokens(context: Context, request: GrantRequest): Promise<Outcome> {
  const now = context.clock.real()
  const grant = await insertRow(context, 'oauth_grants', {
    id: newId(),
    bank: request.bank,
    client_id: request.client_id,
    user_id: request.user_id ?? '',
    scope: request.scope,
    created_at: now.toString(),
  })
  await updateRow(context, 'oauth_requests', request, { grant_id: grant.id })
  return await newTokens(context, grant, now)
}

async function newTokens(
  context: Context,
  { id, scope }: Pick<Grant, 'id' | 'scope'>,
  now: Temporal.Instant,
): Promise<Tokens> {
  const issue = async (kind: 'access' | 'refresh', seconds: number) => {
    const token = newToken()
    const expires_at = now.add({ seconds }).toString()
    await insertRow(context, 'oauth_tokens', { token_hash: hashToken(token), grant_id: id, kind, expires_at })
    return token
  }
  return {
    access_token: await issue('access', ACCESS_SECONDS),
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: await issue('refresh', REFRESH_SECONDS),
    scope,
  }
}

function tokensOf(outcome: Outcome): Tokens {
  if (typeof outcome === 'string') {
    throw new TokenEndpointError('invalid_grant', outcome)
  }
  return outcome
}

type TokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'

/** Rendered as `{error, error_description}`. */
export class TokenEndpointError extends Error {
  readonly status: 400 | 401
  readonly error: TokenError

  constructor(error: TokenError, text: string) {
    super(text)
    this.name = 'TokenEndpointError'
    this.status = error === 'invalid_client' ? 401 : 400
    this.error = error
  }
}
