/** Encodes in the OAuth `state` where the browser continues after an identification. */
import type { Config } from '../config/config.ts'
import { newToken } from '../platform/ids.ts'

/** Longer than any URL of ours. */
const STATE_CHARACTERS_MAX = 2000

/** Providers know one redirect URI of ours only: an unguessable state for an identification whose browser continues at `back`. */
export function encodeReturnState(back: string): string {
  return `${newToken()}.${Buffer.from(back).toString('base64url')}`
}

/** Where a browser with this state continues; undefined unless that is one of our URLs for it. */
export function decodeReturnState(
  { baseUrl, onboardingUrl }: Pick<Config, 'baseUrl' | 'onboardingUrl'>,
  state: string,
) {
  const [, encoded] = /^[\w-]+\.([\w-]+)$/.exec(state.slice(0, STATE_CHARACTERS_MAX)) ?? []
  const back = Buffer.from(encoded ?? '', 'base64url').toString()
  const url = URL.parse(back)
  const isOwnUrl = [`${baseUrl}/signing/`, `${onboardingUrl}/onboarding/`].some((prefix) =>
    url?.href.startsWith(prefix),
  )
  return url !== null && isOwnUrl ? url : undefined
}
