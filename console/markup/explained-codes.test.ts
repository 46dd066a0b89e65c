/** Tests the explanations of codes: of every error of the API, and of the codes in texts of banks. */
import { expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import tables from '../../data/bank-codes.json' with { type: 'json' }
import { apiCodeMarkup, bankTextMarkup, statusReasonMarkup } from './explained-codes.ts'

const plain = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('every error code of the API has its meaning and leads to its entry in the documentation', () => {
  for (const code of Object.keys(ERROR_CATALOGUE)) {
    expect(apiCodeMarkup(code)).toContain(`href="/docs/errors#${code}"`)
    expect(plain(apiCodeMarkup(code)).length).toBeGreaterThan(code.length + ' More'.length + 10)
  }
  expect([apiCodeMarkup('Unheard'), apiCodeMarkup('')]).toEqual(['<code>Unheard</code>', ''])
})

test.each([
  ['AC04', 'AC04 the account is closed More'],
  ['AC04 ClosedAccountNumber', 'AC04 ClosedAccountNumber the account is closed More'],
  ['AC04: the account is closed', 'AC04: the account is closed'],
  ['RCVD, finalised', 'RCVD, finalised RCVD: received, and not checked yet More finalised: signed More'],
  ['The transfer failed', 'The transfer failed'],
  ['CONSENT_EXPIRED: <b>', 'CONSENT_EXPIRED: &#60;b&#62; the consent has expired More'],
  ['Purpose unknown', 'Purpose unknown'],
  [null, ''],
])('the text of a bank %j is shown as %j', (text, shown) => {
  expect(plain(bankTextMarkup(text))).toBe(shown)
})

test('no code is in two tables, and reasons of our own are explained, too', () => {
  const codes = Object.values(tables).flatMap(({ meanings }) => Object.keys(meanings))
  expect(new Set(codes).size).toBe(codes.length)
  expect(plain(statusReasonMarkup('PartlySigned'))).toBe('PartlySigned Another user must sign. More')
  expect(plain(statusReasonMarkup('Another'))).toBe('Another')
})
