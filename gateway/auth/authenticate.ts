/** Finds out from a bearer token which partner is calling, without checking the same signature twice. */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { hashToken } from '../foundation/ids.ts'
import type { Admission, Admitted } from './admission.ts'
import type { PartnerCaller } from './partner.ts'
import { TOKEN_ALGORITHM } from './token-key.ts'

/** Reads an `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<PartnerCaller>

type Remembered = { readonly clientId: string; readonly keyId: string; readonly expiresAt: number }

/** A verified token is remembered up to this many tokens; the oldest make room. */
const REMEMBERED_MAX = 10_000
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Makes the check of this process. Tokens of the other environment are refused by issuer and audience. */
export function authenticator(context: Pick<Context, 'config' | 'clock'>, admission: Admission): Authenticate {
  const rememberedByHash = new Map<string, Remembered>()
  return async (authorization) => {
    const [, token] = BEARER.exec(authorization ?? '') ?? []
    if (token === undefined) {
      throw refuse('unauthenticated', 'Send the header Authorization: Bearer <access token>')
    }
    const hash = hashToken(token)
    const known = rememberedByHash.get(hash) ?? (await verify(context, admission, token))
    if (known.expiresAt <= context.clock.real().epochMilliseconds) {
      rememberedByHash.delete(hash)
      throw refuse('unauthenticated', 'The access token has expired')
    }
    const caller = callerOf(await admission.current(), known) ?? callerOf(await admission.reread(), known)
    if (caller === undefined) {
      rememberedByHash.delete(hash)
      throw refuse('unauthenticated', 'The client or the key of this access token is disabled')
    }
    remember(rememberedByHash, hash, known)
    return caller
  }
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
  } catch {
    throw refuse('unauthenticated', 'The access token is not one of this environment, was altered, or has expired')
  }
}
