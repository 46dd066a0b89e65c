/** Opens the identity providers of the settings. */
import type { Config } from '../config/config.ts'
import type { Clock } from '../platform/clock.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { openIdConnect } from './open-id-connect.ts'

export type IdentityProviders = {
  /** The first provider of a country; null without one. */
  of(countryCode: string): IdentityProvider | null
  /** By the stored id; null once it is no longer configured. */
  find(id: string): IdentityProvider | null
}

/** The redirect URI of all providers, which is registered with them. */
export function redirectUriOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/identity/return`
}

/** Opens all providers without calling them, so that one that is unavailable does not prevent the start. */
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
