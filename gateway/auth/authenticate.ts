/** Finds out from a bearer token which partner is calling, without checking the same signature twice. */
import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { operations } from '../../contract/operations.ts'
import type { Context } from '../context.ts'
import { type Refusal, refuse } from '../platform/http/errors/api-error.ts'
import { hashToken } from '../platform/ids.ts'
import type { Admission, Admitted } from './credential-cache.ts'
import type { PartnerCaller } from './partner.ts'
import { TOKEN_ALGORITHM } from './token-key.ts'

/** Reads an `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<PartnerCaller>

type Remembered = { readonly clientId: string; readonly keyId: string; readonly expiresAt: number }

/** A verified token is remembered up to this many tokens; the oldest make room. */
const REMEMBERED_MAX = 10_000
const BEARER = /^Bearer +(\S.*)$/i
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Makes the check of this process. Tokens of the other environment are refused by issuer and audience. */
export function authenticator(context: Pick<Context, 'config' | 'clock'>, admission: Admission): Authenticate {
  const rememberedByHash = new Map<string, Remembered>()
  return async (authorization) => {
    const token = tokenIn(authorization)
    const hash = hashToken(token)
    const known = rememberedByHash.get(hash) ?? (await verify(context, admission, token))
    if (known.expiresAt <= context.clock.real().epochMilliseconds) {
      rememberedByHash.delete(hash)
      throw invalidToken('The access token has expired')
    }
    const caller = callerOf(await admission.current(), known) ?? callerOf(await admission.reread(), known)
    if (caller === undefined) {
      rememberedByHash.delete(hash)
      throw invalidToken('The client or the key of this access token is disabled')
    }
    remember(rememberedByHash, hash, known)
    return caller
  }
}

function tokenIn(authorization: string | undefined): string {
  const [, token] = BEARER.exec(authorization ?? '') ?? []
  if (token === undefined) {
    throw refuse('unauthenticated', 'There is no access token: send the header Authorization: Bearer <access token>')
  }
  if (!JWT.test(token)) {
    throw invalidToken('The access token is not a signed JWT of three parts: send it exactly as it was issued')
  }
  return token
}

function invalidToken(message: string): Refusal {
  return refuse('unauthenticated', message, { tokenError: 'invalid_token' })
}

function callerOf(admitted: Admitted, { clientId, keyId }: Remembered): PartnerCaller | undefined {
  const isKeyGood = admitted.publicKeys.some(({ kid }) => kid === keyId)
  return isKeyGood ? admitted.callersByClientId.get(clientId) : undefined
}

function remember(rememberedByHash: Map<string, Remembered>, hash: string, known: Remembered): void {
  if (rememberedByHash.has(hash)) {
    return
  }
  for (const oldest of rememberedByHash.keys()) {
    if (rememberedByHash.size < REMEMBERED_MAX) {
      break
    }
    rememberedByHash.delete(oldest)
  }
  rememberedByHash.set(hash, known)
}

async function verify(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  admission: Admission,
  token: string,
): Promise<Remembered> {
  try {
    const { kid = '' } = decodeProtectedHeader(token)
    const current = await admission.current()
    const isKnown = current.publicKeys.some((key) => key.kid === kid)
    const { publicKeys } = isKnown ? current : await admission.reread()
    const { payload } = await jwtVerify(
      token,
      createLocalJWKSet({ keys: publicKeys.map((key) => ({ kty: 'OKP', ...key })) }),
      {
        algorithms: [TOKEN_ALGORITHM],
        issuer: config.authUrl,
        audience: scopesByEnvironment[config.mode],
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.real().epochMilliseconds),
      },
    )
    return { clientId: payload.sub ?? '', keyId: kid, expiresAt: (payload.exp ?? 0) * 1000 }
  } catch (error) {
    throw invalidToken(faultOf(error, config))
  }
}

/** What is wrong with a token that does not verify. What is no fault of the token is thrown on. */
function faultOf(error: unknown, { authUrl, mode }: Context['config']): string {
  const renew = `request a new one at ${authUrl}${operations.issueToken.path}`
  if (error instanceof errors.JWTExpired) {
    return `The access token has expired: ${renew}`
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.reason === 'missing'
      ? `The access token has no claim ${error.claim}: ${renew}`
      : `The access token ${FAULT_BY_CLAIM[error.claim] ?? `has a wrong claim ${error.claim}`}: ${renew} for the ${mode}`
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSEAlgNotAllowed) {
    return `The access token was signed with a key that this environment does not have: ${renew}`
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'The access token was altered, or is incomplete: its signature does not match'
  }
  if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError) {
    return `The access token cannot be decoded as a JWT: ${renew}`
  }
  throw error
}

const FAULT_BY_CLAIM: Readonly<Partial<Record<string, string>>> = {
  iss: 'was issued by another authorisation server',
  aud: 'was issued for another environment',
  nbf: 'is not valid yet',
}
