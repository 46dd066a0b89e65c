/** Authenticates partners by bearer token; caches verified tokens, and for less than five seconds clients and token keys. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalJWKSet, decodeProtectedHeader, errors, type JWK, jwtVerify } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { Context } from '../context.ts'
import { listEnabledClients } from '../partners/client-store.ts'
import { setMostRecent } from '../platform/collections.ts'
import { type ApiError, type ApiErrorDetails, apiError } from '../platform/http/errors/api-error.ts'
import { hashToken } from '../platform/ids.ts'
import type { PartnerCaller } from './partner-caller.ts'
import { ACCESS_TOKEN_TYPE, SECRET_CLAIM, TOKEN_ALGORITHM } from './token-key.ts'
import { listTokenKeys } from './token-key-store.ts'

/** One read of the tables. */
export type CredentialSnapshot = {
  readonly clientsById: ReadonlyMap<string, EnabledClient>
  /** The public keys whose tokens are valid. */
  readonly publicKeys: readonly JWK[]
}

type EnabledClient = {
  readonly caller: PartnerCaller
  readonly permissions: readonly NonNullable<Operation['permission']>[]
  /** The numbers of the secrets whose tokens are valid. */
  readonly secretNumbers: readonly number[]
}

/** Reads the current snapshot. */
export type CredentialCache = {
  /** At most five seconds old. */
  current(): Promise<CredentialSnapshot>
  /** For a client or key that the snapshot lacks: reads again, at most twenty times a second. */
  refresh(): Promise<CredentialSnapshot>
}

/** A disabled client must be rejected within five seconds; the snapshot is read again before that. */
const SNAPSHOT_TTL_MILLISECONDS = 4_000
const REFRESH_INTERVAL_MIN_MILLISECONDS = 50

/** Creates the cache of a process. */
export function openCredentialCache(context: Context): CredentialCache {
  let snapshot: Promise<CredentialSnapshot> | undefined
  let [readAt, readCount] = [0, 0]
  const startRead = (): Promise<CredentialSnapshot> => {
    readAt = context.clock.real().epochMilliseconds
    readCount += 1
    const pending = read(context)
    snapshot = pending
    pending.catch(() => {
      snapshot = snapshot === pending ? undefined : snapshot
    })
    return pending
  }
  // A clock that is put back makes it too old, too.
  const age = () => Math.abs(context.clock.real().epochMilliseconds - readAt)
  return {
    current: async () => await (snapshot === undefined || age() >= SNAPSHOT_TTL_MILLISECONDS ? startRead() : snapshot),
    refresh: async () => {
      // The caller gets a read that started after its request: the one before may lack what the caller needs.
      const before = readCount
      await sleep(Math.max(0, REFRESH_INTERVAL_MIN_MILLISECONDS - age()))
      return await (snapshot === undefined || readCount === before ? startRead() : snapshot)
    },
  }
}

async function read(context: Context): Promise<CredentialSnapshot> {
  const clients = await listEnabledClients(context.database)
  const keys = await listTokenKeys(context.database)
  return {
    clientsById: new Map(
      clients.map(({ permissions, secretNumber, hasFormerSecret, ...caller }) => {
        const secretNumbers = hasFormerSecret ? [secretNumber, secretNumber - 1] : [secretNumber]
        return [caller.clientId, { caller, permissions, secretNumbers }]
      }),
    ),
    publicKeys: keys.map(({ publicJwk }) => publicJwk),
  }
}

/** Checks an `Authorization` header and returns the caller. */
export type Authenticate = (authorization: string | undefined) => Promise<PartnerCaller>

type CachedToken = {
  readonly clientId: string
  readonly secretNumber: unknown
  readonly keyId: string
  readonly expiresAt: number
}

/** Up to this many verified tokens are cached; the one that was not used for longest is evicted. */
const CACHED_TOKENS_MAX = 10_000
const BEARER = /^Bearer +(\S.*)$/i
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Creates the check of this process. Tokens of the other environment fail by issuer and audience. */
export function authenticator(context: Context, credentialCache: CredentialCache): Authenticate {
  const cachedTokensByHash = new Map<string, CachedToken>()
  return async (authorization) => {
    const [, token] = BEARER.exec(authorization ?? '') ?? []
    if (token === undefined) {
      throw apiError(
        'unauthenticated',
        'The access token is missing: send the header Authorization: Bearer <access token>',
      )
    }
    if (!JWT.test(token)) {
      throw invalidToken(
        'TokenMalformed',
        'The access token is not a signed JWT of three parts: send it exactly as it was issued',
      )
    }
    const hash = hashToken(token)
    const cached = cachedTokensByHash.get(hash) ?? (await verify(context, credentialCache, token))
    if (cached.expiresAt <= context.clock.real().epochMilliseconds) {
      cachedTokensByHash.delete(hash)
      throw invalidToken(
        'TokenExpired',
        'The access token has expired',
        callerOf(await credentialCache.current(), cached),
      )
    }
    const caller =
      callerOf(await credentialCache.current(), cached) ?? callerOf(await credentialCache.refresh(), cached)
    if (caller === undefined) {
      cachedTokensByHash.delete(hash)
      throw invalidToken('TokenRevoked', 'The client of this access token, its secret or the key is disabled')
    }
    setMostRecent(cachedTokensByHash, [hash, cached], CACHED_TOKENS_MAX)
    return caller
  }
}

type TokenRejection = NonNullable<ApiErrorDetails['tokenRejection']>

function invalidToken(tokenRejection: TokenRejection, message: string, caller?: PartnerCaller): ApiError {
  return apiError('unauthenticated', message, { tokenRejection, ...(caller && { caller }) })
}

function callerOf(
  snapshot: CredentialSnapshot,
  { clientId, secretNumber, keyId }: CachedToken,
): PartnerCaller | undefined {
  const isKeyValid = snapshot.publicKeys.some(({ kid }) => kid === keyId)
  const client = snapshot.clientsById.get(clientId)
  const isSecretValid = client?.secretNumbers.some((number) => number === secretNumber) === true
  return isKeyValid && isSecretValid ? client?.caller : undefined
}

async function verify(
  { config, clock }: Context,
  credentialCache: CredentialCache,
  token: string,
): Promise<CachedToken> {
  try {
    const { kid = '' } = decodeProtectedHeader(token)
    const current = await credentialCache.current()
    const isKnown = current.publicKeys.some((key) => key.kid === kid)
    const { publicKeys } = isKnown ? current : await credentialCache.refresh()
    const { payload } = await jwtVerify(
      token,
      createLocalJWKSet({ keys: publicKeys.map((key) => ({ kty: 'OKP', ...key })) }),
      {
        algorithms: [TOKEN_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer: config.authUrl,
        audience: scopesByEnvironment[config.mode],
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.real().epochMilliseconds),
      },
    )
    const expiresAt = (payload.exp ?? 0) * 1000
    return { clientId: payload.sub ?? '', secretNumber: payload[SECRET_CLAIM], keyId: kid, expiresAt }
  } catch (error) {
    const [rejection, message] = rejectionOf(error, config)
    throw invalidToken(rejection, message, await callerOfRejectedToken(credentialCache, token, error))
  }
}

/** Of a token with a valid signature: claims are checked after it. */
async function callerOfRejectedToken(
  credentialCache: CredentialCache,
  token: string,
  error: unknown,
): Promise<PartnerCaller | undefined> {
  if (!(error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed)) {
    return undefined
  }
  const { kid: keyId = '' } = decodeProtectedHeader(token)
  const { sub: clientId = '', [SECRET_CLAIM]: secretNumber } = error.payload
  return callerOf(await credentialCache.current(), { clientId, secretNumber, keyId, expiresAt: 0 })
}

/** Why a token does not verify. Other errors are rethrown. */
function rejectionOf(error: unknown, { authUrl, mode }: Context['config']): readonly [TokenRejection, string] {
  const renew = `request a new one at ${authUrl}${operations.issueToken.path}`
  if (error instanceof errors.JWTExpired) {
    return ['TokenExpired', `The access token has expired: ${renew}`]
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const [rejection, message] = error.reason === 'missing' ? [] : (REJECTION_BY_CLAIM[error.claim] ?? [])
    return rejection === undefined
      ? ['TokenClaimInvalid', `The access token has no claim ${error.claim}, or an invalid one: ${renew}`]
      : [rejection, `The access token ${message}: ${renew} for the ${mode}`]
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSEAlgNotAllowed) {
    return ['TokenKeyUnknown', `The access token was signed with a key unknown to this environment: ${renew}`]
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    const message = 'The signature of the access token is invalid: the token was changed or is incomplete'
    return ['TokenSignatureInvalid', message]
  }
  if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError) {
    return ['TokenMalformed', `The access token cannot be decoded as a JWT: ${renew}`]
  }
  throw error
}

const REJECTION_BY_CLAIM: Readonly<Partial<Record<string, readonly [TokenRejection, string]>>> = {
  iss: ['TokenIssuerWrong', 'was issued by another authorisation server'],
  aud: ['TokenAudienceWrong', 'was issued for another environment'],
  nbf: ['TokenNotYetValid', 'is not valid yet'],
  typ: ['TokenClaimInvalid', `is a JWT of another type than ${ACCESS_TOKEN_TYPE}`],
}
