/** Shows what is masked in logged bodies: secrets, tokens, national ids, and everything of payrolls but their structure. */
import { describe, expect, test } from 'vitest'
import { newId, newToken } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/mask-tokens.ts'
import { maskBody } from './mask-body.ts'

const LONG = 10_000
const token = newToken()
const id = newId()

describe('a body', () => {
  test.each<[what: string, body: unknown, shown: unknown]>([
    ['a client secret', { client_id: 'a', client_secret: 's' }, { client_id: 'a', client_secret: REDACTED }],
    ['an access token', { access_token: 'x', token_type: 'Bearer' }, { access_token: REDACTED, token_type: 'Bearer' }],
    [
      'secrets of webhooks',
      { signingSecret: 's', bearerToken: 't' },
      { signingSecret: REDACTED, bearerToken: REDACTED },
    ],
    ['that there is a token', { hasBearerToken: true }, { hasBearerToken: true }],
    ['whatever is in a secret', { clientSecret: { a: ['x', 1] } }, { clientSecret: { a: [REDACTED, REDACTED] } }],
    ['the id of a user at a bank', { userId: '01815012345' }, { userId: REDACTED }],
    ['how a bank names users', { userId: { label: 'CPR', pattern: 'x' } }, { userId: { label: 'CPR', pattern: 'x' } }],
    [
      'a national id',
      { ssn: '01815012345', nationalId: 'x', personNumber: 1 },
      {
        ssn: REDACTED,
        nationalId: REDACTED,
        personNumber: REDACTED,
      },
    ],
    [
      'the token of a link',
      { sca: { url: `https://a.example/sca/${id}.${token}?a=b` } },
      {
        sca: { url: `https://a.example/sca/${id}.${REDACTED}?a=b` },
      },
    ],
    [
      'a form',
      new URLSearchParams({ client_id: 'a', client_secret: 's' }),
      { client_id: 'a', client_secret: REDACTED },
    ],
    [
      'an ordinary payment',
      { paymentId: id, amount: { amount: '1.00' }, from: { name: 'Å "B"' }, list: [null, true] },
      {
        paymentId: id,
        amount: { amount: '1.00' },
        from: { name: 'Å "B"' },
        list: [null, true],
      },
    ],
  ])('%s', (_what, body, shown) => {
    expect(JSON.parse(maskBody(body, 'open', LONG) ?? '')).toEqual(shown)
  })

  test('of a payroll keeps ids, dates, codes and statuses, and nothing that a person entered', () => {
    const transaction = {
      metadata: { endToEndId: 'salary-anna' },
      dueDate: '2026-12-01',
      to: {
        account: { bban: '86011117947', country: 'NO' },
        contactInformation: { name: 'Anna', address: ['Gate 1'] },
      },
      amount: { amount: '31250.50', currency: 'NOK' },
      count: 31250.5,
      remittanceInformation: { type: 'message', message: 'Salary' },
    }
    const masked = maskBody({ transactions: [transaction] }, 'confidential', LONG) ?? ''
    expect(JSON.parse(masked)).toEqual({
      transactions: [
        {
          metadata: { endToEndId: REDACTED },
          dueDate: '2026-12-01',
          to: {
            account: { bban: REDACTED, country: 'NO' },
            contactInformation: { name: REDACTED, address: [REDACTED] },
          },
          amount: { amount: REDACTED, currency: 'NOK' },
          count: REDACTED,
          remittanceInformation: { type: 'message', message: REDACTED },
        },
      ],
    })
  })

  test('of an error about a payroll says what was rejected, without accounts', () => {
    const errors = [{ code: 'InvalidAccountNumber', path: '.transactions[3].to', reason: '86011117947 is no account' }]
    expect(JSON.parse(maskBody(errors, 'confidential error', LONG) ?? '')).toEqual([
      { code: 'InvalidAccountNumber', path: '.transactions[3].to', reason: '… is no account' },
    ])
  })

  test('that is too long is cut, and still JSON', () => {
    const many = { list: Array.from({ length: 10_000 }, (_, n) => ({ n, text: 'x'.repeat(2_000) })), after: 1 }
    const masked = maskBody(many, 'open', 5_000) ?? ''
    expect(masked.length).toBeLessThan(8_000)
    expect(JSON.parse(masked).list.at(-1)).toBe('…')
    expect(JSON.parse(masked).after).toBe(undefined)
  })

  test.each([
    [undefined, null],
    [null, null],
    ['Not found', '"Not found"'],
    [{}, '{}'],
    [[], '[]'],
  ])('%j becomes %j', (body, shown) => {
    expect(maskBody(body, 'open', LONG)).toBe(shown)
  })
})

test('a path keeps its ids, and no token', () => {
  expect(maskTokens(`/api/v2/payments/${id}?cursor=${token}`)).toBe(`/api/v2/payments/${id}?cursor=${REDACTED}`)
})
