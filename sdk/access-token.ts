/** Caches the access token: calls share one token request, and it is renewed in the background before it expires. */
import { HavnResponseError } from './errors/havn-error.ts'
import { isRecord } from './json.ts'

/** How long before its expiry a token is renewed, while calls still use it. */
const RENEWAL_MARGIN_MILLISECONDS = 60_000
/** How long before its expiry calls wait for the new one, so that none expires in transit. */
const SAFETY_MARGIN_MILLISECONDS = 10_000
/** Tokens that live for less than the margins are renewed after the first part of their lifetime, used until the second. */
const RENEWED_PART = 0.9
const USED_PART = 0.95
/** How long a failed renewal is not repeated while the old token is still good. */
const FAILED_RENEWAL_MILLISECONDS = 5_000

export type UsableToken = { readonly accessToken: string; readonly expiresInSeconds: number }

export type AccessTokens = {
  /** The current token; a new one when there is none or it is about to expire. */
  get(): Promise<string>
  /** Discards a token that the service rejected, unless it has been replaced already. */
  discard(refused: string): void
}

type StoredToken = { readonly token: string; readonly renewFrom: number; readonly usableUntil: number }

/** Caches tokens that `request` obtains; `clock` returns elapsed milliseconds. */
export function accessTokens(request: () => Promise<UsableToken>, clock: () => number): AccessTokens {
  let stored: StoredToken | undefined
  let pending: Promise<StoredToken> | undefined
  let renewNotBefore = Number.NEGATIVE_INFINITY

  async function requestToken(): Promise<StoredToken> {
    // Read before the request: the token's lifetime begins between request and response.
    const askedAt = clock()
    const { accessToken, expiresInSeconds } = await request()
    const life = expiresInSeconds * 1_000
    return {
      token: accessToken,
      renewFrom: askedAt + Math.max(life - RENEWAL_MARGIN_MILLISECONDS, life * RENEWED_PART),
      usableUntil: askedAt + Math.max(life - SAFETY_MARGIN_MILLISECONDS, life * USED_PART),
    }
  }

  async function replace(): Promise<StoredToken> {
    pending ??= requestToken().finally(() => {
      pending = undefined
    })
    const replaced = await pending
    stored = replaced
    return replaced
  }

  function renewInBackground(): void {
    if (pending === undefined && clock() >= renewNotBefore) {
      // The calls that wait once the old token has expired get the error.
      replace().catch(() => {
        renewNotBefore = clock() + FAILED_RENEWAL_MILLISECONDS
      })
    }
  }

  return {
    async get() {
      if (stored === undefined || clock() >= stored.usableUntil) {
        return (await replace()).token
      }
      if (clock() >= stored.renewFrom) {
        renewInBackground()
      }
      return stored.token
    },
    discard(refused) {
      stored = stored?.token === refused ? undefined : stored
    },
  }
}

/** Parses the response of the token endpoint; a wrong URL often returns something else with 200. */
export function readToken(answer: unknown): UsableToken {
  const { access_token: accessToken, expires_in: expiresInSeconds } = isRecord(answer) ? answer : {}
  if (typeof accessToken !== 'string' || typeof expiresInSeconds !== 'number') {
    throw new HavnResponseError('The token endpoint answered without access_token and expires_in; is authUrl right?', {
      operation: 'issueToken',
      code: 'MalformedResponse',
    })
  }
  return { accessToken, expiresInSeconds }
}
