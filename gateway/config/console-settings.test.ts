/** Tests the settings of signing in to the console: what is read, and what stops the start. */
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const PARTNER = '01890a5d-ac96-774b-bcce-b302099a8057'
const GROUPS = [
  { group: 'havn-operators', role: 'operator' },
  { group: 'acme-finance', role: 'partner-finance', partner: PARTNER },
]
const SETTINGS = {
  DATABASE_URL: 'postgres://havn@localhost/havn',
  HAVN_MASTER_KEY_FILE: 'master.key',
  HAVN_BASE_URL: 'https://havn.example',
  HAVN_CONSOLE_OIDC_ISSUER: 'https://login.example/realm',
  HAVN_CONSOLE_OIDC_CLIENT_ID: 'havn',
  HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE: '/run/secrets/console',
  HAVN_CONSOLE_GROUPS: JSON.stringify(GROUPS),
}

function errorOf(changes: Readonly<Record<string, string | undefined>>): string {
  try {
    readConfig({ ...SETTINGS, ...changes })
    return ''
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
}

describe('the provider of the console', () => {
  test('is read with its groups', () => {
    expect(readConfig({ ...SETTINGS, HAVN_CONSOLE_OIDC_HOSTS: 'a.example, b.example' }).consoleProvider).toEqual({
      roleLookupIntervalMinutes: 15,
      id: 'console',
      issuer: 'https://login.example/realm',
      clientId: 'havn',
      clientSecretFile: '/run/secrets/console',
      scope: 'openid profile',
      hosts: ['a.example', 'b.example'],
      groupsClaim: 'groups',
      groups: GROUPS,
    })
  })

  test('is none without settings', () => {
    const none = Object.keys(SETTINGS).filter((name) => name.startsWith('HAVN_CONSOLE'))
    const settings = { ...SETTINGS, ...Object.fromEntries(none.map((name) => [name, ''])) }
    expect(readConfig(settings).consoleProvider).toBeNull()
  })

  test.each([
    ['without an issuer', { HAVN_CONSOLE_OIDC_ISSUER: '' }, /HAVN_CONSOLE_GROUPS needs HAVN_CONSOLE_OIDC_ISSUER/],
    ['by http', { HAVN_CONSOLE_OIDC_ISSUER: 'http://login.example' }, /ISSUER must be an https URL/],
    ['without an id', { HAVN_CONSOLE_OIDC_CLIENT_ID: '' }, /CLIENT_ID is missing/],
    ['without a secret', { HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE: '' }, /Set one of/],
    ['with secret and key', { HAVN_CONSOLE_OIDC_CLIENT_KEY_FILE: '/run/key' }, /Set one of/],
    ['without groups', { HAVN_CONSOLE_GROUPS: '' }, /GROUPS must be a list/],
    ['with an unknown role', groups({ group: 'x', role: 'root' }), /GROUPS must be a list .*\/0\/role/],
    ['with a partner that is no id', groups({ group: 'x', role: 'partner-finance', partner: 'Acme' }), /\/0\/partner/],
    ['without a partner', groups({ group: 'x', role: 'partner-finance' }), /x needs a partner/],
    [
      'with an operator of a partner',
      groups({ group: 'x', role: 'operator', partner: PARTNER }),
      /must not have a partner/,
    ],
  ])('%s stops the start', (_what, changes, message) => {
    expect(errorOf(changes)).toMatch(message)
  })
})

function groups(...list: readonly object[]) {
  return { HAVN_CONSOLE_GROUPS: JSON.stringify(list) }
}
