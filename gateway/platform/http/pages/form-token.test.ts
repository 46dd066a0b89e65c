/** Tests that a form is accepted only from the browser for which it was rendered. */
import { expect, test } from 'vitest'
import { newToken } from '../../ids.ts'
import { parseFormFields } from './form.ts'
import { hasValidFormToken, tokenField } from './form-token.ts'

const session = newToken()

function sendBack(markup: string) {
  const [, name = '', value = ''] = /name="([^"]+)" value="([^"]+)"/.exec(markup) ?? []
  return parseFormFields(new URLSearchParams({ [name]: value })).text
}

test('the form of a session is accepted', () => {
  expect(hasValidFormToken(sendBack(tokenField(session)), session)).toBe(true)
})

test('the form of another session is rejected', () => {
  expect(hasValidFormToken(sendBack(tokenField(newToken())), session)).toBe(false)
})

test.each(['', 'x', 'å'.repeat(43), newToken()])('a form with the token %j is rejected', (value) => {
  expect(hasValidFormToken(parseFormFields(new URLSearchParams({ formToken: value })).text, session)).toBe(false)
})

test('without a session no form is accepted, not even one without a token', () => {
  expect(hasValidFormToken(sendBack(tokenField(session)), undefined)).toBe(false)
  expect(hasValidFormToken(parseFormFields(new URLSearchParams()).text, undefined)).toBe(false)
})

test('the token in a form does not show that of the session', () => {
  expect(tokenField(session)).not.toContain(session)
})
