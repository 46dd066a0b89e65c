/** Tests the setting that lists identity providers: an error in it is named, and prevents the start. */
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const SOUND = {
  DATABASE_URL: 'postgres://havn@localhost/havn',
  HAVN_MASTER_KEY_FILE: 'master.key',
  HAVN_BASE_URL: 'https://havn.example',
}
const PROVIDER = {
  id: 'bankid',
  name: 'BankID',
  issuer: 'https://id.example/auth',
  clientId: 'client',
  clientSecretFile: '/run/secrets/bankid',
  countries: ['NO'],
  acrAccepted: ['high'],
}

function read(providers: unknown, more: Record<string, string> = {}) {
  const text = typeof providers === 'string' ? providers : JSON.stringify(providers)
  return readConfig({ ...SOUND, HAVN_IDENTITY_PROVIDERS: text, ...more })
}

test('there are none unless some are listed, and listed ones are returned as they were written', () => {
  expect(readConfig(SOUND).identityProviders).toEqual([])
  const all = { hosts: ['login.id.example'], acrValues: ['high'], acrAccepted: ['high'], nationalIdClaim: 'nin' }
  const full = { ...PROVIDER, ...all, signingText: { parameter: 'login_hint', value: 'message:{base64}' } }
  expect(read([full]).identityProviders).toEqual([full])
})

test.each<[unknown, RegExp]>([
  ['{', /must be a list of identity providers in JSON/],
  ['{}', /must be a list/],
  [[{ ...PROVIDER, countries: ['Norway'] }], /\/0\/countries\/0/],
  [[{ ...PROVIDER, password: 'x' }], /must be a list/],
  [[{ ...PROVIDER, issuer: 'http://id.example' }], /bankid must have an issuer that is an https URL/],
  [[{ ...PROVIDER, issuer: 'http://127.0.0.1:8084/x' }], /bankid must have an issuer that is an https URL/],
  [[{ ...PROVIDER, issuer: 'https://id.example/?a=b' }], /without query/],
  [[{ ...PROVIDER, clientSecret: 'x' }], /bankid must have one of clientSecret, clientSecretFile and clientKeyFile/],
  [[{ ...PROVIDER, clientSecretFile: undefined }], /must have one of/],
  [
    [{ ...PROVIDER, signingText: { parameter: 'nonce', value: '{text}' } }],
    /must not use the reserved parameter nonce/,
  ],
  [[{ ...PROVIDER, signingText: { parameter: 'hint', value: 'sign' } }], /must contain \{text\} or \{base64\}/],
  [[{ ...PROVIDER, acrAccepted: undefined }], /bankid must list the accepted levels of assurance/],
  [[PROVIDER, PROVIDER], /bankid is listed twice/],
])('%j is rejected', (providers, reason) => {
  expect(() => read(providers)).toThrow(ConfigError)
  expect(() => read(providers)).toThrow(reason)
  expect(() => read(providers)).toThrow(/HAVN_IDENTITY_PROVIDERS/)
})

test('the sandbox accepts any level of assurance', () => {
  const { acrAccepted: _strong, ...weak } = PROVIDER
  expect(read([weak], { HAVN_MODE: 'sandbox' }).identityProviders).toEqual([weak])
})

test('the sandbox’s own provider is the default, in the sandbox only', () => {
  const sandbox = { ...SOUND, HAVN_SANDBOX_IDENTITY_URL: 'http://127.0.0.1:8084' }
  expect(readConfig(sandbox).identityProviders).toEqual([])
  const { identityProviders } = readConfig({ ...sandbox, HAVN_MODE: 'sandbox' })
  expect(identityProviders.map(({ countries }) => countries)).toEqual([['NO'], ['SE'], ['DK'], ['FI']])
  const listed = read([PROVIDER], { HAVN_MODE: 'sandbox', HAVN_SANDBOX_IDENTITY_URL: 'http://127.0.0.1:8084' })
  expect(listed.identityProviders.map(({ id }) => id)).toEqual(['bankid'])
})
