/** Tests that notifications without a valid signature are rejected, and how valid ones are parsed. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseNotification } from './connector.ts'

const KEY = 'a key that only the two of us know'
const HEADER = 'x-hmac-digest-sha-512'
const ID = 'a634d8c2-f520-4cba-985c-77dc1e0cc9af'

function arrived(content: unknown, { key = KEY, header = HEADER }: { key?: string; header?: string } = {}) {
  const rawBody = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  return { headers: { [header]: createHmac('sha512', key).update(rawBody).digest('hex') }, rawBody }
}
const payment = {
  header: { message_type: 'payment', notification_type: 'payment_released_notification' },
  body: { id: ID, amount: '2000.00', currency: 'GBP', status: 'completed', unique_request_id: 'ours' },
}
const funds = (change: object) => ({
  header: { message_type: 'cash_manager_transaction', notification_type: 'cash_manager_transaction_notification' },
  body: { id: 'x', related_entity_type: 'inbound_funds', related_entity_id: ID, ...change },
})

test('the signature scheme is that of RFC 4231, case 1', () => {
  const key = Buffer.alloc(20, 0x0b).toString('latin1')
  const rawBody = Buffer.from(JSON.stringify(payment))
  const { headers } = arrived(payment, { key })
  expect(headers[HEADER]).toHaveLength(128)
  expect(parseNotification(key, { headers, rawBody })).not.toBeNull()
})

test.each([
  ['a payout', payment, { about: 'payout', id: ID, requestId: 'ours' }],
  [
    'a conversion',
    { header: { message_type: 'conversion', notification_type: 'trade_settled_notification' }, body: { id: ID } },
    { about: 'conversion', id: ID, requestId: null },
  ],
  ['inbound funds', funds({}), { about: 'receipt', id: ID, requestId: null }],
])('about %s identifies it', (_what, content, notice) => {
  expect(parseNotification(KEY, arrived(content))).toEqual(notice)
})

test.each([
  ['outbound funds', funds({ related_entity_type: 'payment' })],
  ['unknown funds', funds({ related_entity_id: null })],
  [
    'an application',
    { header: { message_type: 'end_client_application_submitted', notification_type: 'x' }, body: { id: ID } },
  ],
  ['no form', { hello: 'world' }],
  ['no JSON', 'hello'],
  ['nothing', ''],
])('about %s is ignored, although it is signed', (_what, content) => {
  expect(parseNotification(KEY, arrived(content))).toBeNull()
})

test.each([
  ['with another key', arrived(payment, { key: 'guessed' })],
  ['under another name', arrived(payment, { header: 'x-hmac-digest-sha-256' })],
  ['over another body', { ...arrived(payment), rawBody: Buffer.from(`${JSON.stringify(payment)} `) }],
  [
    'over a part of the body',
    { ...arrived(payment), headers: { [HEADER]: arrived(payment).headers[HEADER]?.slice(0, 64) } },
  ],
  ['twice', { ...arrived(payment), headers: { [HEADER]: [arrived(payment).headers[HEADER] ?? '', 'x'] } }],
  ['without a key', { ...arrived(payment), headers: {} }],
  ['with nothing', { ...arrived(payment), headers: { [HEADER]: '' } }],
])('signed %s is rejected', (_how, forged) => {
  expect(parseNotification(KEY, forged)).toBeNull()
})

test('without a key of ours none is accepted, whatever it is signed with', () => {
  expect(parseNotification(null, arrived(payment))).toBeNull()
  expect(parseNotification(null, arrived(payment, { key: '\0' }))).toBeNull()
})
