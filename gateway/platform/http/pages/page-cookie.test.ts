/** Tests how a browser is recognised. */
import { expect, test } from 'vitest'
import { newToken } from '../../ids.ts'
import { cookieHeader, readCookie } from './page-cookie.ts'

const token = newToken()
const PLAIN = { name: 'havn_one', path: '/onboarding/x', isSecure: false } as const
const SECURE = { ...PLAIN, isSecure: true } as const

test.each([PLAIN, SECURE])('a cookie is parsed as it was set, among others: %o', (place) => {
  const [pair] = cookieHeader({ ...place, token }).split('; ')
  expect(readCookie({ cookie: `other=1; ${pair}; havn_one_more=2` }, place)).toBe(token)
  expect(readCookie({ cookie: `not${pair}` }, place)).toBeUndefined()
})

test.each([undefined, '', 'havn_one=', 'havn_one=short', `havn_one=${token}x`, `havn_one="${token}"`])(
  'the header %j contains none',
  (cookie) => {
    expect(readCookie(cookie === undefined ? {} : { cookie }, PLAIN)).toBeUndefined()
  },
)

test('scripts cannot read it, and forms of other sites do not send it', () => {
  expect(cookieHeader({ ...PLAIN, token })).toBe(`havn_one=${token}; Path=/onboarding/x; HttpOnly; SameSite=Lax`)
})

test('by https it belongs to this host only, whatever another host of the same domain plants', () => {
  expect(cookieHeader({ ...SECURE, token })).toBe(`__Host-havn_one=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`)
  expect(readCookie({ cookie: `havn_one=${token}` }, SECURE)).toBeUndefined()
})
