/** Tests the settings of exchange: to which hosts the provider's key may be sent, and the errors of invalid ones. */
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const GATEWAY = {
  DATABASE_URL: 'postgres://havn@localhost/havn',
  HAVN_MASTER_KEY_FILE: 'k',
  HAVN_BASE_URL: 'https://h.example',
}
const FX = { HAVN_FX_PROVIDER: 'currencycloud', HAVN_FX_LOGIN_ID: 'havn', HAVN_FX_API_KEY: 'key' }

function read(settings: Readonly<Record<string, string>>) {
  return readConfig({ ...GATEWAY, ...settings }).fx
}

test('there is no provider unless one is configured', () => {
  expect(read({})).toBeNull()
  expect(read({ ...FX, HAVN_FX_PROVIDER: 'none' })).toBeNull()
})

test('a setting that is missing has the provider’s default', () => {
  expect(read(FX)).toEqual({
    provider: 'currencycloud',
    url: 'https://api.currencycloud.com',
    loginId: 'havn',
    apiKey: { text: 'key' },
    notificationKey: null,
    onBehalfOf: null,
    holdSeconds: [120, 300],
    callsPerMinute: 500,
    rateCallsPerMinute: 200,
  })
  expect(read({ ...FX, HAVN_MODE: 'sandbox' })?.url).toBe('https://devapi.currencycloud.com')
})

test.each([
  ['production', 'https://api.currencycloud.com/'],
  ['sandbox', 'https://devapi.currencycloud.com'],
  ['sandbox', 'http://127.0.0.1:8086'],
  ['sandbox', 'http://localhost:8086/'],
])('%s may connect to %s', (mode, url) => {
  expect(read({ ...FX, HAVN_MODE: mode, HAVN_FX_URL: url })?.url).toBe(url.replace(/\/$/, ''))
})

test.each([
  ['production', 'https://devapi.currencycloud.com'],
  ['production', 'http://api.currencycloud.com'],
  ['production', 'http://127.0.0.1:8086'],
  ['production', 'https://api.currencycloud.com.evil.example'],
  ['production', 'https://api.currencycloud.com:444'],
  ['production', 'https://user@api.currencycloud.com'],
  ['production', 'https://api.currencycloud.com/v2'],
  ['production', 'https://api.currencycloud.com/?x=1'],
  ['sandbox', 'https://api.currencycloud.com'],
  ['sandbox', 'http://10.0.0.7:8086'],
  ['sandbox', 'http://127.0.0.1.evil.example'],
  ['sandbox', 'ftp://127.0.0.1'],
  ['sandbox', 'nonsense'],
])('%s may not connect to %s', (mode, url) => {
  expect(() => read({ ...FX, HAVN_MODE: mode, HAVN_FX_URL: url })).toThrow(
    `HAVN_FX_URL must be https://${mode === 'sandbox' ? 'devapi' : 'api'}.currencycloud.com`,
  )
})

test.each([
  ['HAVN_FX_LOGIN_ID', '', 'HAVN_FX_LOGIN_ID is missing'],
  ['HAVN_FX_API_KEY', '', 'HAVN_FX_API_KEY_FILE is missing'],
  ['HAVN_FX_API_KEY_FILE', 'key.txt', 'HAVN_FX_API_KEY_FILE and HAVN_FX_API_KEY are both set'],
  ['HAVN_FX_ON_BEHALF_OF', 'somebody', 'HAVN_FX_ON_BEHALF_OF must be the UUID of a contact, not "somebody"'],
  ['HAVN_FX_HOLD_SECONDS', '120,', 'HAVN_FX_HOLD_SECONDS must list seconds up to 3600, such as 120,300, not "120,"'],
  ['HAVN_FX_HOLD_SECONDS', '3601', 'not "3601"'],
  ['HAVN_FX_HOLD_SECONDS', '0', 'not "0"'],
  ['HAVN_FX_CALLS_PER_MINUTE', '0', 'HAVN_FX_CALLS_PER_MINUTE must be between'],
  ['HAVN_FX_PROVIDER', 'wise', 'HAVN_FX_PROVIDER must be one of none, currencycloud, not "wise"'],
])('%s=%s is rejected', (name, value, reason) => {
  expect(() => read({ ...FX, [name]: value })).toThrow(ConfigError)
  expect(() => read({ ...FX, [name]: value })).toThrow(reason)
})

test('errors about settings contain no secret', () => {
  const secrets = { HAVN_FX_API_KEY: 'a-secret-key', HAVN_FX_NOTIFICATION_KEY: 'another-secret' }
  expect(() => read({ ...FX, ...secrets, HAVN_FX_LOGIN_ID: '', HAVN_FX_URL: 'x' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') }),
  )
})

test('the hold periods are sorted from the shortest', () => {
  expect(read({ ...FX, HAVN_FX_HOLD_SECONDS: '300, 30,180' })?.holdSeconds).toEqual([30, 180, 300])
})

describe('the exchange settings', () => {
  test('have defaults', () => {
    expect(readConfig({ ...GATEWAY, HAVN_MODE: 'sandbox' })).toMatchObject({
      fxServiceHours: { opens: '06:00', closes: '22:00' },
      fxMarginPercent: '0',
      referenceRatesUrl: null,
    })
  })

  test.each(['08:00-16:00', '00:00-23:59'])('accept %s as hours', (hours) => {
    const [opens, closes] = hours.split('-')
    expect(readConfig({ ...GATEWAY, HAVN_MODE: 'sandbox', HAVN_FX_SERVICE_HOURS: hours }).fxServiceHours).toEqual({
      opens,
      closes,
    })
  })

  test.each([
    ['HAVN_FX_SERVICE_HOURS', '22:00-06:00'],
    ['HAVN_FX_SERVICE_HOURS', '06:00-06:00'],
    ['HAVN_FX_SERVICE_HOURS', '6-22'],
    ['HAVN_FX_SERVICE_HOURS', '06:00-24:00'],
    ['HAVN_FX_MARGIN_PERCENT', '10'],
    ['HAVN_FX_MARGIN_PERCENT', '-1'],
    ['HAVN_FX_MARGIN_PERCENT', '0,5'],
    ['HAVN_FX_MARGIN_PERCENT', '1e1'],
    ['HAVN_REFERENCE_RATES_URL', 'ftp://rates.example'],
  ])('reject %s=%s, and name the setting', (name, value) => {
    expect(() => readConfig({ ...GATEWAY, HAVN_MODE: 'sandbox', [name]: value })).toThrow(name)
  })
})
