/** Tests parsing JSON from outside: names are right whatever was parsed before, and everything else is unchanged. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSourceFiles } from '../../setup/source-files.ts'
import { anyCharacter } from '../testing/any-character.ts'
import { parseJson, unescapeMemberNames } from './parse-json.ts'

/** Makes V8 read escaped names after a first field of this name as a backslash. */
const confuse = (first: string) => JSON.parse(`{"${first}":[],"\\\\":0}`)

describe('a name that is escaped', () => {
  test('is parsed correctly after another text has confused the parser', () => {
    confuse('a')
    expect(parseJson('{"a":1,"\\u0062ban":2}')).toEqual({ a: 1, bban: 2 })
    expect(parseJson('{"a":1,"b\\/c" :{"a":1,"\\u00e5":3}}')).toEqual({ a: 1, 'b/c': { a: 1, å: 3 } })
  })

  test('cannot confuse the parser: what only an escape can write is replaced', () => {
    const parsed = parseJson('{"one":1,"\\\\":2,"a\\"b":3,"\\n":4,"\\ud800x":5}')
    expect(parsed).toEqual({ one: 1, '\ufffd': 4, 'a\ufffdb': 3, '\ufffdx': 5 })
    expect(Object.keys(JSON.parse('{"one":1,"\\u0061":2}'))).toEqual(['one', 'a'])
  })

  test.each(['{"a\\x":1}', '{"a\\":1}', '{"\\u12":1}', '{"a\\u000":1', '"\\', '{"a\x12\\\x1e":1}'])(
    '%j is invalid JSON, and causes no error before it is parsed',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
      expect(unescapeMemberNames(text)).toBe(text)
    },
  )
})

test('values are parsed as JSON.parse does, escaped or not', () => {
  // Names without characters that must be escaped, which JSON.parse reads correctly.
  const name = fc.string().filter((one) => !/["\\\p{Cc}]/u.test(one) && one.isWellFormed() && one !== '__proto__')
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a":', '\\', '\\"', '":"', '{"a\\u0062":1}'),
      fc.string({ unit: anyCharacter }),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (one, indent) => {
      const text = JSON.stringify(one, undefined, indent)
      expect(unescapeMemberNames(text)).toBe(text)
      const escaped = text.replace(
        /"([a-z])([^"\\]*)":/g,
        (_, first: string, rest: string) => `"${unicode(first)}${rest}":`,
      )
      expect(JSON.stringify(parseJson(escaped), undefined, indent)).toBe(text)
    }),
  )
})

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** What these parse was written by Havn and encrypted, or by an operator. */
const OWN_JSON = [
  'gateway/auth/token-key.ts',
  'gateway/banks/directory/validate-bank-profile.ts',
  'gateway/consents/tokens/bank-tokens.ts',
  'launcher/embedded-postgres/postgres-cluster.ts',
  'gateway/platform/http/operations/cursor.ts',
  'gateway/platform/parse-json.ts',
  'gateway/fx/store/deal-store.ts',
  'gateway/platform/http/idempotency/idempotency.ts',
  'gateway/fx/store/quote-store.ts',
  // Runs in the browser.
  'console/sign-in/passkey/passkey-browser.mjs',
  'console/sign-in/pending-sign-in.ts',
  'gateway/identity/open-id-connect.ts',
  'gateway/onboarding/store/onboarding-answers-store.ts',
  'gateway/onboarding/store/onboarding-signature-store.ts',
  'gateway/onboarding/store/onboarding-signer-store.ts',
  'gateway/orders/store/payment-store.ts',
  'gateway/orders/store/payroll-store.ts',
  'gateway/authorisations/get-qr-code.ts',
  'gateway/authorisations/pages/sca-page-view.ts',
  'gateway/authorisations/select-sca-method.ts',
  'gateway/webhooks/events/list-webhook-events.ts',
]

test('no input from outside is parsed in another way', async () => {
  const files = (await readSourceFiles()).filter(({ path, isTest }) => /^(gateway|console)\//.test(path) && !isTest)
  const others = files.filter(
    ({ path, text }) =>
      !path.includes('/testing/') && /JSON\.parse\(|\.json\(\)/.test(text) && !OWN_JSON.includes(path),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})
