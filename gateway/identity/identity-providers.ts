/** The identity providers of this gateway, as its settings list them. */
import type { Config } from '../config/config.ts'
import type { Clock } from '../platform/clock.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { openIdConnect } from './open-id-connect.ts'

/** Who identifies persons here. */
export type IdentityProviders = {
  /** The first that identifies people of a country; null where there is none. */
  of(countryCode: string): IdentityProvider | null
  /** By the name that is kept with what it vouched for; null once it is no longer set. */
  find(id: string): IdentityProvider | null
}

/** Where providers send every browser back to; what is registered there as ours. */
export function redirectUriOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/identity/return`
}

/** Opens all of them; none is asked yet, so one that is away keeps nobody from starting. */
export function openIdentityProviders(
  config: Pick<Config, 'baseUrl' | 'identityProviders'>,
  clock: Pick<Clock, 'real'>,
): IdentityProviders {
  const redirectUri = redirectUriOf(config)
  const all = config.identityProviders.map((settings) => ({
    countries: settings.countries,
    provider: openIdConnect(settings, { clock, redirectUri }),
  }))
  return {
    of: (countryCode) => all.find(({ countries }) => countries.includes(countryCode))?.provider ?? null,
    find: (id) => all.find(({ provider }) => provider.id === id)?.provider ?? null,
  }
}
