/** Validates the settings of the FX provider. */
import { isLoopback } from '../platform/http/loopback.ts'
import type { PemSource } from './environment-reader.ts'

/** The settings of the FX provider; without one, no payments with currency exchange are offered. */
export type FxProviderSettings = {
  readonly provider: Exclude<(typeof FX_PROVIDERS)[number], 'none'>
  /** The base URL of its API, in front of `/v2`. */
  readonly url: string
  readonly loginId: string
  readonly apiKey: PemSource
  /** The key of its notification signatures; null accepts no notifications. */
  readonly notificationKey: PemSource | null
  /** The contact of the sub-account that we act for; null acts for the house account. */
  readonly onBehalfOf: string | null
  /** For how long rates may be held, in seconds, shortest first. */
  readonly holdSeconds: readonly number[]
  readonly callsPerMinute: number
  readonly rateCallsPerMinute: number
}

/** The settings as given; null and empty where they were not. */
export type FxProviderInput = Omit<FxProviderSettings, 'provider' | 'apiKey' | 'holdSeconds'> & {
  readonly provider: (typeof FX_PROVIDERS)[number]
  readonly apiKey: PemSource | null
  readonly holdSeconds: string
}

export const FX_PROVIDERS = ['none', 'currencycloud'] as const

const HOLD_SECONDS_MAX = 3_600
const CONTACT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/**
 * The provider's hosts. Money in its sandbox is simulated, and real money must never be sent to accounts that it names.
 */
const PROVIDER_HOST = { production: 'api.currencycloud.com', sandbox: 'devapi.currencycloud.com' } as const

/** Null when no provider is named; adds errors to `errors`. */
export function validateFxProviderSettings(
  given: FxProviderInput,
  { mode, errors }: { readonly mode: 'sandbox' | 'production'; readonly errors: string[] },
): FxProviderSettings | null {
  const { provider, apiKey, loginId, onBehalfOf } = given
  if (provider === 'none') {
    return null
  }
  const url = given.url === '' ? `https://${PROVIDER_HOST[mode]}` : given.url
  const errorByMessage = {
    [`HAVN_FX_URL must be ${allowedProviderUrls(mode)}, not "${url}"`]: !isAllowedProviderUrl(url, mode),
    'HAVN_FX_LOGIN_ID is missing: the login at the FX provider': loginId === '',
    'HAVN_FX_API_KEY_FILE is missing: the file with the API key of the FX provider': apiKey === null,
    [`HAVN_FX_ON_BEHALF_OF must be the UUID of a contact, not "${onBehalfOf}"`]:
      onBehalfOf !== null && !CONTACT.test(onBehalfOf),
    [`HAVN_FX_HOLD_SECONDS must list seconds up to ${HOLD_SECONDS_MAX}, such as 120,300, not "${given.holdSeconds}"`]:
      holdSecondsOf(given.holdSeconds) === undefined,
  }
  errors.push(...Object.entries(errorByMessage).flatMap(([error, isInvalid]) => (isInvalid ? [error] : [])))
  const holdSeconds = holdSecondsOf(given.holdSeconds) ?? []
  return { ...given, provider, url: url.replace(/(?<!\/)\/+$/, ''), apiKey: apiKey ?? { text: '' }, holdSeconds }
}

function holdSecondsOf(text: string): readonly number[] | undefined {
  const seconds = text.split(',').map((part) => (/^\s*\d{1,5}\s*$/.test(part) ? Number(part) : 0))
  return seconds.some((item) => item < 1 || item > HOLD_SECONDS_MAX)
    ? undefined
    : seconds.toSorted((one, other) => one - other)
}

/** The API key is sent to the provider only, and a sandbox must never move real money. */
function isAllowedProviderUrl(text: string, mode: 'sandbox' | 'production'): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    return false
  }
  const { protocol, host, hostname } = url
  const isProviderHost = protocol === 'https:' && host === PROVIDER_HOST[mode]
  return isProviderHost || (mode === 'sandbox' && isLoopback(hostname) && /^https?:$/.test(protocol))
}

function allowedProviderUrls(mode: 'sandbox' | 'production'): string {
  return `https://${PROVIDER_HOST[mode]}${mode === 'sandbox' ? ' or an address of this machine' : ''}`
}
