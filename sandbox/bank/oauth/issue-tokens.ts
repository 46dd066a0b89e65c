/** Exchanges a code or a refresh token for tokens: each once, and by the third party that it was given to. */
import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { type GrantRequest, matchesChallenge } from './grant-request.ts'
import {
  endGrant,
  type Grant,
  grantedToken,
  insertGrant,
  insertTokens,
  lockGrant,
  lockRequestByCode,
  markUsed,
  updateRequest,
} from './oauth-store.ts'
import { TokenRefusal } from './token-endpoint-error.ts'

/** What a third party brings; `clientId` is what its certificate says, or it itself where no certificate is asked for. */
export type BroughtCode = {
  readonly clientId: string
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

/** The answer of the token endpoint. */
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

/** A no that is thrown after what it changes was kept. */
type Outcome = { readonly tokens: Tokens } | { readonly refusedBecause: string }

/** Exchanges a code. Used a second time, it takes back what it was exchanged for: one of the two who had it stole it. */
export async function exchangeCode(context: BankContext, bank: BankProfile, brought: BroughtCode): Promise<Tokens> {
  const outcome = await context.database.query.transaction().execute(async (transaction): Promise<Outcome> => {
    const request = await lockRequestByCode(transaction, bank.bic, brought.code)
    if (request === undefined) {
      return no('The code is not one of ours')
    }
    if (request.grant_id !== null) {
      await endGrant(transaction, request.grant_id, context.clock.real())
      return no('The code was used before')
    }
    const reason = reasonAgainst(request, brought, context.clock.real())
    return reason === null ? await grantTokens(context, transaction, request) : no(reason)
  })
  return tokensOf(outcome)
}

/** Exchanges a refresh token for the next; an old one used again ends the whole grant. */
export async function refreshTokens(
  context: BankContext,
  bank: BankProfile,
  clientId: string,
  refreshToken: string,
): Promise<Tokens> {
  const outcome = await context.database.query.transaction().execute(async (transaction): Promise<Outcome> => {
    const found = await grantedToken(transaction, bank.bic, refreshToken)
    if (found?.kind !== 'refresh' || found.client_id !== clientId) {
      return no('The refresh token is not one of yours')
    }
    await lockGrant(transaction, found.grant_id)
    const now = context.clock.real()
    const current = (await grantedToken(transaction, bank.bic, refreshToken)) ?? found
    if (current.ended_at !== null) {
      return no('The grant has ended')
    }
    if (current.used_at !== null) {
      await endGrant(transaction, current.grant_id, now)
      return no('The refresh token was used before; the grant has ended')
    }
    if (Temporal.Instant.compare(current.expires_at, now) <= 0) {
      return no('The refresh token has expired')
    }
    await markUsed(transaction, current, now)
    return { tokens: await newTokens(transaction, { id: current.grant_id, scope: current.scope }, now) }
  })
  return tokensOf(outcome)
}

/** Why a code is not exchanged; null when it is. */
function reasonAgainst(request: GrantRequest, brought: BroughtCode, now: Temporal.Instant): string | null {
  const { code_expires_at: expiresAt } = request
  if (request.client_id !== brought.clientId) {
    return 'The code was given to another client'
  }
  if (request.redirect_uri !== brought.redirectUri) {
    return 'redirect_uri is not the one that the code was asked for with'
  }
  if (!matchesChallenge(request, brought.verifier)) {
    return 'code_verifier does not fit code_challenge'
  }
  return expiresAt === null || Temporal.Instant.compare(expiresAt, now) <= 0 ? 'The code has expired' : null
}

async function grantTokens(
  context: BankContext,
  transaction: BankTransaction,
  request: GrantRequest,
): Promise<Outcome> {
  const now = context.clock.real()
  const grant = await insertGrant(transaction, {
    id: newId(),
    bank: request.bank,
    client_id: request.client_id,
    user_id: request.user_id ?? '',
    scope: request.scope,
    created_at: now.toString(),
  })
  await updateRequest(transaction, request.id, { grant_id: grant.id })
  return { tokens: await newTokens(transaction, grant, now) }
}

async function newTokens(
  transaction: BankTransaction,
  { id, scope }: Pick<Grant, 'id' | 'scope'>,
  now: Temporal.Instant,
): Promise<Tokens> {
  const [access, refresh] = [newToken(), newToken()]
  const row = (token: string, kind: 'access' | 'refresh', seconds: number) => ({
    token_hash: hashToken(token),
    grant_id: id,
    kind,
    expires_at: now.add({ seconds }).toString(),
  })
  await insertTokens(transaction, [row(access, 'access', ACCESS_SECONDS), row(refresh, 'refresh', REFRESH_SECONDS)])
  return { access_token: access, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: refresh, scope }
}

function no(text: string): Outcome {
  return { refusedBecause: text }
}

function tokensOf(outcome: Outcome): Tokens {
  if ('tokens' in outcome) {
    return outcome.tokens
  }
  throw new TokenRefusal('invalid_grant', outcome.refusedBecause)
}
