/** Tests how a browser is known again. */
import { expect, test } from 'vitest'
import { newToken } from '../ids.ts'
import { cookieHeader, readCookie } from './page-cookie.ts'

const token = newToken()

test('a cookie comes back as it was set, among others', () => {
  const header = cookieHeader({ name: 'havn_one', token, path: '/onboarding/x', isSecure: false })
  const [pair] = header.split('; ')
  expect(readCookie({ cookie: `other=1; ${pair}; havn_one_more=2` }, 'havn_one')).toBe(token)
  expect(readCookie({ cookie: `not${pair}` }, 'havn_one')).toBeUndefined()
})

test.each([undefined, '', 'havn_one=', 'havn_one=short', `havn_one=${token}x`, `havn_one="${token}"`])(
  'the header %j holds none',
  (cookie) => {
    expect(readCookie(cookie === undefined ? {} : { cookie }, 'havn_one')).toBeUndefined()
  },
)

test('no script reads it, no other site’s form brings it, and https alone carries it', () => {
  const header = cookieHeader({ name: 'havn_one', token, path: '/onboarding/x', isSecure: true })
  expect(header).toBe(`havn_one=${token}; Path=/onboarding/x; HttpOnly; SameSite=Lax; Secure`)
})
