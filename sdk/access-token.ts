/** Caches the access token: concurrent calls share one token request, and it is renewed before it expires. */
import type { MonotonicClock } from './monotonic-clock.ts'

/** How long before its expiry a token is renewed, so that it does not expire in transit. */
const REFRESH_MARGIN_MILLISECONDS = 60_000
/** Short-lived tokens are used for at least this fraction of their lifetime. */
const USED_PART_MIN = 0.9

export type UsableToken = { readonly accessToken: string; readonly expiresInSeconds: number }

export type AccessTokens = {
  /** The current token, or a new one when it is about to expire. */
  get(): Promise<string>
  /** Discards a token that the service rejected, unless it has been replaced already. */
  discard(refused: string): void
}

type StoredToken = { readonly token: string; readonly usableUntil: number }

/** Caches tokens that `request` obtains. */
export function accessTokens(request: () => Promise<UsableToken>, clock: MonotonicClock): AccessTokens {
  let kept: StoredToken | undefined
  let pending: Promise<StoredToken> | undefined

  async function replace(): Promise<StoredToken> {
    // Read before the request: the token's lifetime begins between request and response.
    const askedAt = clock()
    const { accessToken, expiresInSeconds } = await request()
    return { token: accessToken, usableUntil: askedAt + usableMilliseconds(expiresInSeconds) }
  }

  return {
    async get() {
      if (kept !== undefined && clock() < kept.usableUntil) {
        return kept.token
      }
      pending ??= replace().finally(() => {
        pending = undefined
      })
      kept = await pending
      return kept.token
    },
    discard(refused) {
      kept = kept?.token === refused ? undefined : kept
    },
  }
}

/** Parses the response of the token endpoint; a wrong URL often returns something else with 200. */
export function readToken(answer: unknown): UsableToken {
  const members = new Map<string, unknown>(Object.entries(answer ?? {}))
  const accessToken = members.get('access_token')
  const expiresInSeconds = members.get('expires_in')
  if (typeof accessToken !== 'string' || typeof expiresInSeconds !== 'number') {
    throw new Error('The token endpoint answered without access_token and expires_in; is authUrl right?')
  }
  return { accessToken, expiresInSeconds }
}

function usableMilliseconds(expiresInSeconds: number): number {
  const life = expiresInSeconds * 1_000
  return Math.max(life - REFRESH_MARGIN_MILLISECONDS, life * USED_PART_MIN)
}
