/** Judges what the settings say of the provider of exchange: which there is, and how it is spoken to. */
import { isLoopback } from '../platform/http/loopback.ts'
import type { PemSource } from './environment-reader.ts'

/** A provider of exchange; without one, nothing that needs exchange is offered. */
export type FxSettings = {
  readonly provider: Exclude<(typeof FX_PROVIDERS)[number], 'none'>
  /** Where its interface begins, in front of `/v2`. */
  readonly url: string
  readonly loginId: string
  readonly apiKey: PemSource
  /** What its notifications are signed with; null takes none. */
  readonly notificationKey: PemSource | null
  /** The contact of the sub-account on whose behalf everything is done; null acts for the house account. */
  readonly onBehalfOf: string | null
  /** For how long rates may be held, in seconds, shortest first. */
  readonly holdSeconds: readonly number[]
  readonly callsPerMinute: number
  readonly rateCallsPerMinute: number
}

/** The settings as they were given; null and empty where they were not. */
export type FxGiven = Omit<FxSettings, 'provider' | 'apiKey' | 'holdSeconds'> & {
  readonly provider: (typeof FX_PROVIDERS)[number]
  readonly apiKey: PemSource | null
  readonly holdSeconds: string
}

export const FX_PROVIDERS = ['none', 'currencycloud'] as const

const HOLD_SECONDS_MAX = 3_600
const CONTACT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Where the provider is; money at the sandbox's is invented, and real money must never be sent to accounts that it names. */
const PROVIDERS_HOST = { production: 'api.currencycloud.com', sandbox: 'devapi.currencycloud.com' } as const

/** Null when no provider is named; faults go to `problems`. */
export function judgeFxSettings(
  given: FxGiven,
  { mode, problems }: { readonly mode: 'sandbox' | 'production'; readonly problems: string[] },
): FxSettings | null {
  const { provider, apiKey, loginId, onBehalfOf } = given
  if (provider === 'none') {
    return null
  }
  const url = given.url === '' ? `https://${PROVIDERS_HOST[mode]}` : given.url
  const faults = {
    [`HAVN_FX_URL must be ${placesIn(mode)}, not "${url}"`]: !mayBeAt(url, mode),
    'HAVN_FX_LOGIN_ID is missing: the login at the provider of exchange': loginId === '',
    'HAVN_FX_API_KEY_FILE is missing: the file with the API key of the provider of exchange': apiKey === null,
    [`HAVN_FX_ON_BEHALF_OF must be the UUID of a contact, not "${onBehalfOf}"`]:
      onBehalfOf !== null && !CONTACT.test(onBehalfOf),
    [`HAVN_FX_HOLD_SECONDS must list seconds up to ${HOLD_SECONDS_MAX}, such as 120,300, not "${given.holdSeconds}"`]:
      holdSecondsOf(given.holdSeconds) === undefined,
  }
  problems.push(...Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? [fault] : [])))
  const holdSeconds = holdSecondsOf(given.holdSeconds) ?? []
  return { ...given, provider, url: url.replace(/\/+$/, ''), apiKey: apiKey ?? { text: '' }, holdSeconds }
}

function holdSecondsOf(text: string): readonly number[] | undefined {
  const seconds = text.split(',').map((part) => (/^\s*\d{1,5}\s*$/.test(part) ? Number(part) : 0))
  return seconds.some((each) => each < 1 || each > HOLD_SECONDS_MAX)
    ? undefined
    : seconds.toSorted((one, other) => one - other)
}

/** The key to our money is shown to the provider alone, and a sandbox never moves real money. */
function mayBeAt(text: string, mode: 'sandbox' | 'production'): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    return false
  }
  const { protocol, host, hostname } = url
  const isProviders = protocol === 'https:' && host === PROVIDERS_HOST[mode]
  return isProviders || (mode === 'sandbox' && isLoopback(hostname) && /^https?:$/.test(protocol))
}

function placesIn(mode: 'sandbox' | 'production'): string {
  return `https://${PROVIDERS_HOST[mode]}${mode === 'sandbox' ? ' or an address of this machine' : ''}`
}
