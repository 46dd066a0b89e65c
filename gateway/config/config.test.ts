/** Tests the ranges of settings: an unusable value prevents the start, with an error that names it. */
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const SOUND = {
  DATABASE_URL: 'postgres://havn@localhost/havn',
  HAVN_MASTER_KEY_FILE: 'master.key',
  HAVN_BASE_URL: 'https://havn.example',
}

test.each([
  ['HAVN_BANK_ANSWER_TIMEOUT_SECONDS', '0', 'must be between 1 and 45, not 0'],
  ['HAVN_BANK_ANSWER_TIMEOUT_SECONDS', '46', 'must be between 1 and 45, not 46'],
  ['HAVN_BANK_ANSWER_TIMEOUT_SECONDS', '1.5', 'must be a whole number, not "1.5"'],
  ['DATABASE_URL', 'db.internal/havn', 'must be a PostgreSQL URL, e.g. postgres://havn@localhost/havn'],
  ['HAVN_PORT', '65536', 'must be between 0 and 65535, not 65536'],
  ['HAVN_WORKER_PORT', '99999', 'must be between 0 and 65535, not 99999'],
  ['HAVN_DATABASE_CONNECTIONS_MAX', '0', 'must be between 1 and 999999999, not 0'],
  ['HAVN_TOKEN_REQUESTS_PER_MINUTE', '0', 'must be between 1 and 999999999, not 0'],
  ['HAVN_REQUESTS_PER_SECOND', '0', 'must be between 1 and 999999999, not 0'],
])('%s=%s is rejected', (name, value, reason) => {
  expect(() => readConfig({ ...SOUND, [name]: value })).toThrow(
    new ConfigError(`The settings are invalid:\n  - ${name} ${reason}`),
  )
})

test('the scheme of a public URL may be in capitals, as cookies, issuers and redirects have it in small letters', () => {
  const { baseUrl, authUrl } = readConfig({ ...SOUND, HAVN_BASE_URL: 'HTTPS://havn.example/' })
  expect([baseUrl, authUrl]).toEqual(['https://havn.example', 'https://havn.example'])
})

test('without a public URL it is that of the address, also of one of IPv6', () => {
  const { baseUrl } = readConfig({ ...SOUND, HAVN_MODE: 'sandbox', HAVN_BASE_URL: '', HAVN_HOST: '::1' })
  expect(baseUrl).toBe('http://[::1]:8080')
})

test.each(['1', '45'])('a bank may have a timeout of %s seconds', (value) => {
  const { bankAnswerTimeoutSeconds } = readConfig({ ...SOUND, HAVN_BANK_ANSWER_TIMEOUT_SECONDS: value })
  expect(bankAnswerTimeoutSeconds).toBe(Number(value))
})

test.each([
  ['10.0.0.0', 'not "10.0.0.0"'],
  ['10.0.0.0/33', 'not "10.0.0.0/33"'],
  ['10.0.0.0/8, example.com/8', 'not "example.com/8"'],
  ['fd00::/129', 'not "fd00::/129"'],
  [',', 'not ""'],
])('the delivery networks %s are rejected in the sandbox', (networks, reason) => {
  expect(() => readConfig({ ...SOUND, HAVN_MODE: 'sandbox', HAVN_WEBHOOK_ALLOWED_NETWORKS: networks })).toThrow(reason)
})

test.each([
  ['HAVN_WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8'],
  ['HAVN_WEBHOOK_HTTP', '1'],
  ['HAVN_WEBHOOK_CA_FILE', 'authorities.pem'],
])('%s=%s is for the sandbox only: production does not start with it', (name, value) => {
  expect(() => readConfig({ ...SOUND, [name]: value })).toThrow(`${name} is for sandbox mode only`)
  expect(() => readConfig({ ...SOUND, HAVN_MODE: 'sandbox', [name]: value })).not.toThrow()
})

describe('the address from which banks see our calls', () => {
  const NAME = 'HAVN_TPP_IP_ADDRESS'
  const production = (address?: string) => ({ ...SOUND, ...(address === undefined ? {} : { [NAME]: address }) })

  test('is this machine in the sandbox, and required of workers only in production', () => {
    expect(readConfig({ ...SOUND, HAVN_MODE: 'sandbox' }, 'worker').tppIpAddress).toBe('127.0.0.1')
    expect(readConfig(production(), 'gateway').tppIpAddress).toBeNull()
    expect(() => readConfig(production(), 'worker')).toThrow(`${NAME} is missing: the public IP address`)
  })

  test.each(['8.8.4.4', '2a00:1450:400f:80c::200e'])('may be %s in production', (address) => {
    expect(readConfig(production(address), 'worker').tppIpAddress).toBe(address)
  })

  test.each(['127.0.0.1', '10.1.2.3', '203.0.113.7', 'fd00::1', '::ffff:10.0.0.1'])(
    'may not be %s in production',
    (address) => {
      expect(() => readConfig(production(address), 'worker')).toThrow(
        `${NAME} must be a public IP address in production`,
      )
    },
  )

  test.each(['havn.example', '8.8.4', '8.8.4.4/32'])('is invalid as %s', (address) => {
    expect(() => readConfig({ ...production(address), HAVN_MODE: 'sandbox' })).toThrow(`${NAME} must be an IP address`)
  })
})
