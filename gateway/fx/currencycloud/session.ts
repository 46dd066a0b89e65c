/** Keeps one login for all calls: whoever finds it ended has it made anew once, and the others take that one. */
import { steadyMilliseconds } from '../../platform/clock.ts'
import { FxRefusal } from '../providers/fx-provider-error.ts'

export type Session = {
  /** The token that calls carry; logs in when there is none. */
  token(): Promise<string>
  /** The token that follows one that the provider took no more. */
  after(ended: string): Promise<string>
}

/** A login that was refused is not tried again at once: the provider locks those that keep trying. */
const REFUSED_MILLISECONDS = 60_000

/** Opens it; `login` is called when somebody needs a token and there is none. */
export function openSession(login: () => Promise<string>, now: () => number = steadyMilliseconds): Session {
  let known: string | undefined
  let underWay: Promise<string> | undefined
  let refused: { readonly refusal: FxRefusal; readonly at: number } | undefined

  async function begin(): Promise<string> {
    try {
      known = await login()
      return known
    } catch (error) {
      if (error instanceof FxRefusal && error.kind === 'login-refused') {
        refused = { refusal: error, at: now() }
      }
      throw error
    } finally {
      underWay = undefined
    }
  }

  async function token(): Promise<string> {
    if (known !== undefined) {
      return known
    }
    if (refused !== undefined && now() - refused.at < REFUSED_MILLISECONDS) {
      throw refused.refusal
    }
    underWay ??= begin()
    return await underWay
  }

  return {
    token,
    after: async (ended) => {
      if (known === ended) {
        known = undefined
      }
      return await token()
    },
  }
}
