/** Keeps the access token: one request at a time gets it, everybody shares it, and it is replaced before it expires. */
import type { MonotonicClock } from './monotonic-clock.ts'

/** How long before its end a token is replaced, so that it does not expire on its way. */
const REFRESH_AHEAD_MILLISECONDS = 60_000
/** Short-lived tokens are used for at least this part of their life. */
const USED_PART_MIN = 0.9

/** What is needed of a token that was issued. */
export type UsableToken = { readonly accessToken: string; readonly expiresInSeconds: number }

/** Where calls get their token. */
export type AccessTokens = {
  /** The present token, or a new one when it is about to expire. */
  get(): Promise<string>
  /** Forgets a token that the service refused, unless another has taken its place meanwhile. */
  discard(refused: string): void
}

type Kept = { readonly token: string; readonly usableUntil: number }

/** Keeps tokens that `request` gets. */
export function accessTokens(request: () => Promise<UsableToken>, clock: MonotonicClock): AccessTokens {
  let kept: Kept | undefined
  let pending: Promise<Kept> | undefined

  async function replace(): Promise<Kept> {
    // Time is taken before asking: the token's life begins somewhere between question and answer.
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

/** Reads the answer of the token endpoint; a wrong address often answers something else with 200. */
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
  return Math.max(life - REFRESH_AHEAD_MILLISECONDS, life * USED_PART_MIN)
}
