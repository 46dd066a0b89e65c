/** Tests which name a user of the provider has. */
import { expect, test } from 'vitest'
import { userFromClaims } from './user-from-claims.ts'

const settings = { groups: [{ group: 'ops', role: 'operator' as const }], groupsClaim: 'groups' }
const nameIn = (claims: object) => {
  const user = userFromClaims(settings, { iss: 'https://login.example', sub: 'kari', groups: 'ops', ...claims })
  return typeof user === 'string' ? user : user.name
}

test('the first that can be read, without invisible characters', () => {
  expect(nameIn({ name: ' Astrid\u0000 \u202eLie\u2028 ' })).toBe('Astrid Lie')
  expect(nameIn({ name: '\u200b', preferred_username: ['x'], email: 'kari@havn.example' })).toBe('kari@havn.example')
  expect(nameIn({})).toBe('kari')
})
