/** Tests that the XS2A response validator accepts valid responses and detects each kind of invalid one. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InspectedAnswer } from '../bank/xs2a/inspect-answers.ts'
import { patchXs2aStandard } from './patch-xs2a-standard.ts'
import { startTestBank } from './test-bank.ts'
import { PAYMENTS, thirdPartyOf } from './third-party.ts'
import { createXs2aResponseValidator } from './xs2a-response-validator.ts'
import { PATCHED_STANDARD } from './xs2a-standard.ts'

const validate = createXs2aResponseValidator()
const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'

const initiated = (changes: Partial<InspectedAnswer> = {}): InspectedAnswer => ({
  method: 'POST',
  path: `/v1${PAYMENTS}`,
  status: 201,
  headers: { 'x-request-id': requestId, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ transactionStatus: 'RCVD', paymentId: '1', _links: { self: { href: '/x' } } }),
  ...changes,
})

test('a valid response passes', () => {
  expect(validate(initiated())).toEqual([])
})

test.each<[string, Partial<InspectedAnswer>, RegExp]>([
  ['a missing field', { body: '{"transactionStatus":"RCVD","_links":{}}' }, /paymentId/],
  ['a status outside the list', { body: '{"transactionStatus":"DONE","paymentId":"1","_links":{}}' }, /enum/],
  ['no request id', { headers: { 'content-type': 'application/json' } }, /X-Request-ID is missing/],
  ['a request id that is no UUID', { headers: { ...initiated().headers, 'x-request-id': '1' } }, /X-Request-ID is 1/],
  ['another approach', { headers: { ...initiated().headers, 'aspsp-sca-approach': 'MAGIC' } }, /ASPSP-SCA-Approach/],
  ['another media type', { headers: { 'x-request-id': requestId, 'content-type': 'text/html' } }, /text\/html/],
  ['a status that the standard does not list', { status: 418 }, /does not list 418/],
  ['an unknown operation', { path: '/v1/loans' }, /no such operation/],
  [
    'a code of another status',
    { status: 409, body: '{"tppMessages":[{"category":"ERROR","code":"KID_MISSING"}]}' },
    /enum/,
  ],
  ['a body where none belongs', { method: 'DELETE', path: `/v1${PAYMENTS}/1`, status: 204 }, /no body/],
])('%s is found', (_what, changes, validationError) => {
  expect(validate(initiated(changes)).join()).toMatch(validationError)
})

test('dates are validated, in consents too', () => {
  const body = { consentStatus: 'valid', access: {}, recurringIndicator: true, frequencyPerDay: 4 }
  const answer = initiated({
    method: 'GET',
    path: '/v1/consents/1',
    status: 200,
    body: JSON.stringify({ ...body, validUntil: '2027-02-30', lastActionDate: '2026-11-21' }),
  })
  expect(validate(answer).join()).toMatch('validUntil')
})

test('a bank that violates the standard is detected: its response becomes a 500 and the test fails', async () => {
  const tested = await startTestBank({ validate: () => ['wrong'] })
  const tpp = thirdPartyOf(() => tested.bank)
  expect((await tpp.send('GET', '/accounts')).status).toBe(500)
  expect(tested.bank.violations()).toEqual(['GET /v1/accounts 400: wrong'])
  await expect(tested.close()).rejects.toThrow('broke the standard')
})

test('the patched standard is the original with its patches', () => {
  const original = readFileSync(new URL('./psd2-api.yaml', PATCHED_STANDARD), 'utf8')
  const patched = JSON.parse(readFileSync(PATCHED_STANDARD, 'utf8'))
  expect(patched).toEqual(patchXs2aStandard(parse(original)))
})
