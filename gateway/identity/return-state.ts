/** Carries in the `state` of an identification where its browser goes on: providers know one return address of ours, and no other. */
import type { Config } from '../config/config.ts'
import { newToken } from '../platform/ids.ts'

/** Longer than any address of ours. */
const STATE_CHARACTERS_MAX = 2000

/** A state that nobody can guess, for an identification whose browser goes on to `back`. */
export function stateFor(back: string): string {
  return `${newToken()}.${Buffer.from(back).toString('base64url')}`
}

/** Where a browser with this state goes on; undefined unless that is an address of ours which takes such browsers. */
export function backOf({ baseUrl, onboardingUrl }: Pick<Config, 'baseUrl' | 'onboardingUrl'>, state: string) {
  const [, encoded] = /^[\w-]+\.([\w-]+)$/.exec(state.slice(0, STATE_CHARACTERS_MAX)) ?? []
  const back = Buffer.from(encoded ?? '', 'base64url').toString()
  const url = URL.parse(back)
  const isOurs = [`${baseUrl}/signing/`, `${onboardingUrl}/onboarding/`].some((place) => url?.href.startsWith(place))
  return url !== null && isOurs ? url : undefined
}
