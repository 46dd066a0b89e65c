/** Guarantees of the settings' ranges: what no program could run with stops it at the start, and names itself. */
import { expect, test } from 'vitest'
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
  ['HAVN_PORT', '65536', 'must be between 0 and 65535, not 65536'],
  ['HAVN_WORKER_PORT', '99999', 'must be between 0 and 65535, not 99999'],
  ['HAVN_DATABASE_CONNECTIONS_MAX', '0', 'must be between 1 and 999999999, not 0'],
  ['HAVN_TOKEN_REQUESTS_PER_MINUTE', '0', 'must be between 1 and 999999999, not 0'],
  ['HAVN_REQUESTS_PER_SECOND', '0', 'must be between 1 and 999999999, not 0'],
])('%s=%s is refused', (name, value, reason) => {
  expect(() => readConfig({ ...SOUND, [name]: value })).toThrow(
    new ConfigError(`The settings are not right:\n  - ${name} ${reason}`),
  )
})

test.each(['1', '45'])('a bank may be given %s seconds', (value) => {
  const { bankAnswerTimeoutSeconds } = readConfig({ ...SOUND, HAVN_BANK_ANSWER_TIMEOUT_SECONDS: value })
  expect(bankAnswerTimeoutSeconds).toBe(Number(value))
})
