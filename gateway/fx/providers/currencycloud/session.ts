/** Shares one login among all calls: after an expired token, one of them logs in and the others wait for it. */
import { monotonicMilliseconds } from '../../../platform/clock.ts'
import { FxProviderError } from '../fx-provider-error.ts'

export type Session = {
  /** The current token; logs in if there is none. */
  token(): Promise<string>
  /** The token that replaces an expired one. */
  after(ended: string): Promise<string>
}

/** A rejected login is not retried at once: the provider locks accounts after repeated failures. */
const LOGIN_REJECTED_MILLISECONDS = 60_000

/** `login` is called when a token is needed and there is none. */
export function openSession(login: () => Promise<string>, now: () => number = monotonicMilliseconds): Session {
  let currentToken: string | undefined
  let pendingLogin: Promise<string> | undefined
  let lastRejection: { readonly error: FxProviderError; readonly at: number } | undefined

  async function startLogin(): Promise<string> {
    try {
      currentToken = await login()
      return currentToken
    } catch (error) {
      if (error instanceof FxProviderError && error.kind === 'login-rejected') {
        lastRejection = { error, at: now() }
      }
      throw error
    } finally {
      pendingLogin = undefined
    }
  }

  async function token(): Promise<string> {
    if (currentToken !== undefined) {
      return currentToken
    }
    if (lastRejection !== undefined && now() - lastRejection.at < LOGIN_REJECTED_MILLISECONDS) {
      throw lastRejection.error
    }
    pendingLogin ??= startLogin()
    return await pendingLogin
  }

  return {
    token,
    after: async (ended) => {
      if (currentToken === ended) {
        currentToken = undefined
      }
      return await token()
    },
  }
}
