/** Tests how a browser is known again. */
import { expect, test } from 'vitest'
import { newToken } from '../../ids.ts'
import { cookieHeader, readCookie } from './page-cookie.ts'

const token = newToken()
const PLAIN = { name: 'havn_one', path: '/onboarding/x', isSecure: false } as const
const SECURE = { ...PLAIN, isSecure: true } as const

test.each([PLAIN, SECURE])('a cookie comes back as it was set, among others: %o', (place) => {
  const [pair] = cookieHeader({ ...place, token }).split('; ')
  expect(readCookie({ cookie: `other=1; ${pair}; havn_one_more=2` }, place)).toBe(token)
  expect(readCookie({ cookie: `not${pair}` }, place)).toBeUndefined()
})

test.each([undefined, '', 'havn_one=', 'havn_one=short', `havn_one=${token}x`, `havn_one="${token}"`])(
  'the header %j holds none',
  (cookie) => {
    expect(readCookie(cookie === undefined ? {} : { cookie }, PLAIN)).toBeUndefined()
  },
)

test('no script reads it, and no other site’s form brings it', () => {
  expect(cookieHeader({ ...PLAIN, token })).toBe(`havn_one=${token}; Path=/onboarding/x; HttpOnly; SameSite=Lax`)
})

test('by https it is of this host alone, whatever another host of the same domain plants', () => {
  expect(cookieHeader({ ...SECURE, token })).toBe(`__Host-havn_one=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`)
  expect(readCookie({ cookie: `havn_one=${token}` }, SECURE)).toBeUndefined()
})
