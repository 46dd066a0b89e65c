/** Lists the settings of currency exchange: the provider, and the service's hours, margin and reference rates. */
import { isLoopback } from '../platform/http/ip-address.ts'
import {
  combined,
  fileOrText,
  integer,
  type Mode,
  oneOf,
  optional,
  optionalUrl,
  type PemSource,
  POSITIVE_NUMBERS,
  type SettingSource,
  text,
  type ValuesOf,
  withoutSlash,
} from '../platform/setting.ts'

/** The settings of the FX provider; without one, no payments with currency exchange are offered. */
export type FxProviderSettings = {
  readonly provider: 'currencycloud'
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

const HOLD_SECONDS_MAX = 3_600
const CONTACT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const HOURS = /^(([01]\d|2[0-3]):[0-5]\d)-(([01]\d|2[0-3]):[0-5]\d)$/
/** Ten percent or more would be an obvious mistake. */
const PERCENT = /^\d(\.\d{1,4})?$/
/**
 * The provider's hosts. Money in its sandbox is simulated, and real money must never be sent to accounts that it names.
 */
const PROVIDER_HOST = { production: 'api.currencycloud.com', sandbox: 'devapi.currencycloud.com' } as const

const PROVIDER_PARTS = {
  provider: oneOf(
    'HAVN_FX_PROVIDER',
    'none',
    ['none', 'currencycloud'],
    '`currencycloud` or `none`; without a provider, no payment that needs exchange is offered',
  ),
  url: {
    variables: [
      {
        name: 'HAVN_FX_URL',
        byDefault: "the provider's",
        meaning:
          'base URL of its API, without `/v2`: the provider itself, its demo environment, or in sandbox mode this machine',
      },
    ],
    read: ({ given, mode }: SettingSource) => given('HAVN_FX_URL') ?? `https://${PROVIDER_HOST[mode]}`,
  },
  loginId: optional('HAVN_FX_LOGIN_ID', 'login id of your account there'),
  apiKey: fileOrText('HAVN_FX_API_KEY', 'secret', [
    'file with the API key of your account there',
    'the API key itself instead of a file',
  ]),
  notificationKey: fileOrText('HAVN_FX_NOTIFICATION_KEY', 'secret', [
    'file with the key that signs its notifications; without it, notifications are ignored',
    'that key itself instead of a file',
  ]),
  onBehalfOf: optional(
    'HAVN_FX_ON_BEHALF_OF',
    'UUID of the contact of the sub-account to act for; without it, the house account',
  ),
  holdSeconds: text(
    'HAVN_FX_HOLD_SECONDS',
    '120,300',
    'how long the provider may hold a rate, as agreed for your account there',
  ),
  callsPerMinute: integer(
    'HAVN_FX_CALLS_PER_MINUTE',
    500,
    'calls to the provider by all processes together',
    POSITIVE_NUMBERS,
  ),
  rateCallsPerMinute: integer(
    'HAVN_FX_RATE_CALLS_PER_MINUTE',
    200,
    'those of them that request a rate',
    POSITIVE_NUMBERS,
  ),
}

export const FX_SETTINGS = {
  /** Null for no provider. */
  fx: combined(PROVIDER_PARTS, fxProviderOf),
  /** The hours in which orders are accepted on a bank day, as `HH:MM` in Oslo. */
  fxServiceHours: text(
    'HAVN_FX_SERVICE_HOURS',
    '06:00-22:00',
    'hours of bank days, in Oslo, in which exchange can be ordered; after 16:00 it is due on the next bank day at the earliest',
    (hours, { reject }) => {
      const [, opens = '', , closes = ''] = HOURS.exec(hours) ?? []
      if (opens === '' || opens >= closes) {
        reject(`HAVN_FX_SERVICE_HOURS must be two times of a day such as 06:00-22:00, not "${hours}"`)
      }
      return { opens, closes }
    },
  ),
  /** In percent, as a decimal. */
  fxMarginPercent: text(
    'HAVN_FX_MARGIN_PERCENT',
    '0',
    "margin on the provider's price, in percent of it",
    (percent, { reject }) => {
      if (!PERCENT.test(percent)) {
        reject(`HAVN_FX_MARGIN_PERCENT must be a percentage below ten such as 0.5, not "${percent}"`)
      }
      return percent
    },
  ),
  referenceRatesUrl: optionalUrl(
    'HAVN_REFERENCE_RATES_URL',
    "URL of the European Central Bank's daily rates; without it, the rates of the release are used",
  ),
}

function fxProviderOf(
  given: ValuesOf<typeof PROVIDER_PARTS>,
  { mode, reject }: SettingSource,
): FxProviderSettings | null {
  const { provider, apiKey, loginId, onBehalfOf, url } = given
  if (provider === 'none') {
    return null
  }
  const holdSeconds = holdSecondsOf(given.holdSeconds)
  const errorByMessage = {
    [`HAVN_FX_URL must be ${allowedProviderUrls(mode)}, not "${url}"`]: !isAllowedProviderUrl(url, mode),
    'HAVN_FX_LOGIN_ID is missing: the login at the FX provider': loginId === null,
    'HAVN_FX_API_KEY_FILE is missing: the file with the API key of the FX provider': apiKey === null,
    [`HAVN_FX_ON_BEHALF_OF must be the UUID of a contact, not "${onBehalfOf}"`]:
      onBehalfOf !== null && !CONTACT.test(onBehalfOf),
    [`HAVN_FX_HOLD_SECONDS must list seconds up to ${HOLD_SECONDS_MAX}, such as 120,300, not "${given.holdSeconds}"`]:
      holdSeconds === undefined,
  }
  for (const [error, isInvalid] of Object.entries(errorByMessage)) {
    if (isInvalid) {
      reject(error)
    }
  }
  return {
    ...given,
    provider,
    url: withoutSlash(url),
    loginId: loginId ?? '',
    apiKey: apiKey ?? { text: '' },
    holdSeconds: holdSeconds ?? [],
  }
}

function holdSecondsOf(text: string): readonly number[] | undefined {
  const seconds = text.split(',').map((part) => (/^\s*\d{1,5}\s*$/.test(part) ? Number(part) : 0))
  return seconds.some((item) => item < 1 || item > HOLD_SECONDS_MAX)
    ? undefined
    : seconds.toSorted((one, other) => one - other)
}

/** The API key is sent to the provider only, and a sandbox must never move real money. */
function isAllowedProviderUrl(text: string, mode: Mode): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    return false
  }
  const { protocol, host, hostname } = url
  const isProviderHost = protocol === 'https:' && host === PROVIDER_HOST[mode]
  return isProviderHost || (mode === 'sandbox' && isLoopback(hostname) && /^https?:$/.test(protocol))
}

function allowedProviderUrls(mode: Mode): string {
  return `https://${PROVIDER_HOST[mode]}${mode === 'sandbox' ? ' or an address of this machine' : ''}`
}
