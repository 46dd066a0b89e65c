/** Tests that forged, altered, replayed and malformed deliveries are rejected. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Headers as UndiciHeaders } from 'undici'
import { describe, expect, test } from 'vitest'
import { eventExamples } from '../../contract/examples/webhook-events.ts'
import { testEventExample } from '../../contract/examples/webhooks.ts'
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
import {
  isAccountEntriesBooked,
  isApprovalEnded,
  isConsentChanged,
  isExchangeStepped,
  isOnboardingStatusChanged,
  isPaymentStatusChanged,
  isPayrollStatusChanged,
  isPayrollTransactionStatusChanged,
  isTest,
  readEvent,
  type WebhookEvent,
} from './webhook-event.ts'

const SECRET = 'mJ2fTq8Zc0RrYw4uXkLh6VbN1sPd3GeA7oQiUyC5tEw'
const NOW = 1_795_000_000
const BODY = JSON.stringify({
  id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e53',
  type: 'PAYMENT_STATUS_COMPLETED',
  version: '1',
  occurredAt: '2026-11-23T09:04:25.480Z',
  data: {
    paymentId: 'p',
    previousStatus: 'InProgress',
    status: 'Completed',
    statusReason: null,
    statusReasonText: 'Ørsta',
  },
})
const options = { nowSeconds: () => NOW }

const sign = (body: string | Uint8Array, timestamp: string | number = NOW, secret = SECRET) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
const headersOf = (changes: Record<string, string | undefined> = {}): Record<string, string | undefined> => ({
  'X-SVC-Webhook-Id': 'delivery',
  'X-SVC-Webhook-Timestamp': String(NOW),
  'X-SVC-Webhook-Signature': sign(BODY),
  ...changes,
})
const verify = (
  headers: WebhookHeaders = headersOf(),
  body: string | Uint8Array = BODY,
  secret: string | string[] = SECRET,
) => verifyWebhook(body, headers, secret, options)
const rejected = (reason: string) => ({ verified: false, reason })

describe('an authentic delivery', () => {
  test.each<readonly [string, WebhookHeaders]>([
    ['a plain object', headersOf()],
    [
      'an object in the format of Node',
      Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toLowerCase(), value])),
    ],
    ['lists of values', Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name, [value ?? '']]))],
    ['Headers', new Headers(Object.entries(headersOf()) as [string, string][])],
    ['Headers of a library', new UndiciHeaders(Object.entries(headersOf()) as [string, string][])],
  ])('is verified with its headers as %s', (_what, headers) => {
    const expected = { verified: true, deliveryId: 'delivery', event: JSON.parse(BODY) }
    expect(verify(headers)).toEqual(expected)
    expect(verify(headers, new TextEncoder().encode(BODY))).toEqual(expected)
  })

  test('is verified by either secret while they overlap', () => {
    expect(verify(headersOf(), BODY, ['new', SECRET]).verified).toBe(true)
    expect(verify(headersOf(), BODY, [SECRET, 'new']).verified).toBe(true)
    expect(verify(headersOf(), BODY, ['new'])).toEqual(rejected('wrong-signature'))
  })

  test('a signature in capital letters is accepted', () => {
    const signature = `v1=${sign(BODY).slice(3).toUpperCase()}`
    expect(verify(headersOf({ 'X-SVC-Webhook-Signature': signature })).verified).toBe(true)
  })
})

describe('a delivery is rejected', () => {
  test.each(['X-SVC-Webhook-Id', 'X-SVC-Webhook-Timestamp', 'X-SVC-Webhook-Signature'])('without %s', (name) => {
    expect(verify(headersOf({ [name]: undefined }))).toEqual(rejected('missing-header'))
  })

  test('with a repeated header', () => {
    expect(verify({ ...headersOf(), 'x-svc-webhook-signature': sign(BODY) })).toEqual(rejected('missing-header'))
  })

  test.each(['', 'now', '-1', '1e9', '1795000000.5', ' 1795000000', 'Infinity', '0x10'])(
    'with the timestamp %j',
    (timestamp) => {
      const headers = headersOf({
        'X-SVC-Webhook-Timestamp': timestamp,
        'X-SVC-Webhook-Signature': sign(BODY, timestamp),
      })
      expect(verify(headers)).toEqual(rejected('malformed-timestamp'))
    },
  )

  test.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
  ])('exactly when its timestamp is out of tolerance: %i seconds off, %s', (offset, verified) => {
    const timestamp = NOW + offset
    const headers = headersOf({
      'X-SVC-Webhook-Timestamp': String(timestamp),
      'X-SVC-Webhook-Signature': sign(BODY, timestamp),
    })
    expect(verify(headers).verified).toBe(verified)
    expect(verifyWebhook(BODY, headers, SECRET, { ...options, toleranceSeconds: 301 }).verified).toBe(true)
    expect(verifyWebhook(BODY, headers, SECRET, { ...options, toleranceSeconds: Number.NaN }).verified).toBe(false)
  })

  test.each([
    '',
    'v1=',
    'v2=abc',
    sign(BODY).slice(3),
    sign(BODY).slice(0, -2),
    `${sign(BODY)}00`,
    `v1=${'g'.repeat(64)}`,
  ])('with the signature %j', (signature) => {
    expect(verify(headersOf({ 'X-SVC-Webhook-Signature': signature }))).toEqual(rejected('malformed-signature'))
  })

  test('with any single bit of body, timestamp, signature or secret changed', () => {
    const bytes = Buffer.from(BODY)
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), (bit) => {
        expect(verify(headersOf(), flipped(bytes, bit))).toEqual(rejected('wrong-signature'))
      }),
    )
    const signature = Buffer.from(sign(BODY).slice(3), 'hex')
    for (let bit = 0; bit < signature.length * 8; bit += 1) {
      const forged = `v1=${flipped(signature, bit).toString('hex')}`
      expect(verify(headersOf({ 'X-SVC-Webhook-Signature': forged }))).toEqual(rejected('wrong-signature'))
    }
    expect(verify(headersOf({ 'X-SVC-Webhook-Timestamp': String(NOW + 1) }))).toEqual(rejected('wrong-signature'))
    expect(verify(headersOf(), BODY, SECRET.slice(1))).toEqual(rejected('wrong-signature'))
  })

  test.each(['', 'null', '[]', '1', '{', '{"id":1,"type":"x"}', '{"id":"x"}'])(
    'although it is signed, if its body is %j',
    (body) => {
      expect(verify(headersOf({ 'X-SVC-Webhook-Signature': sign(body) }), body)).toEqual(rejected('malformed-body'))
    },
  )

  test('before its body is parsed', () => {
    expect(verify(headersOf(), '{')).toEqual(rejected('wrong-signature'))
  })
})

test.each(['', []])('a missing secret %j is an error of the receiver', (secret) => {
  expect(() => verify(headersOf(), BODY, secret)).toThrow(TypeError)
})

test('the bytes of the secret are the key as it was returned, without decoding', () => {
  const expected = createHmac('sha256', Buffer.from(SECRET, 'utf8')).update(`${NOW}.${BODY}`).digest('hex')
  expect(verify(headersOf({ 'X-SVC-Webhook-Signature': `v1=${expected}` })).verified).toBe(true)
})

describe('an event', () => {
  test('of an unknown type, status or reason is parsed', () => {
    const event = readEvent(
      JSON.stringify({
        id: 'e',
        type: 'PAYMENT_STATUS_PAUSED',
        version: '2',
        occurredAt: '2027-01-01T00:00:00Z',
        data: { paymentId: 'p', previousStatus: 'Dreaming', status: 'Paused', statusReason: 'Tired' },
        more: true,
      }),
    )
    expect(event !== undefined && isPaymentStatusChanged(event) && event.data.status).toBe('Paused')
  })

  test('of each family is recognised by its guard alone, also with a newer type', () => {
    const documented = [...Object.values(eventExamples), testEventExample]
    const newer = documented.map((event) => ({ ...event, type: event.type.replace(/_[A-Z]+$/, '_NEWER') }))
    for (const examples of [documented, newer]) {
      const events = examples.map((example) => readEvent(JSON.stringify(example)))
      const recognised = GUARDS.map((guard) => events.map((event) => event !== undefined && guard(event)))
      expect(recognised).toEqual(GUARDS.map((_, guard) => examples.map((_, event) => event === guard)))
    }
  })

  test('of another form than that of its family is recognised by no guard', () => {
    const changed = Object.values(eventExamples).flatMap((event) =>
      [{ data: {} }, { data: [] }, { version: 2 }, { occurredAt: null }].map((change) => ({ ...event, ...change })),
    )
    const events = [...changed, { id: 'e', type: 'MOON_PHASE' }, { id: 'e', type: 'CONSENT' }]
    const recognised = events.filter((event) => {
      const read = readEvent(JSON.stringify(event))
      return read === undefined || GUARDS.some((guard) => guard(read))
    })
    expect(recognised).toEqual([])
  })

  test('is narrowed by its type; an unknown one is passed through as it is', () => {
    const examples = [...Object.values(eventExamples), testEventExample, { id: 'e', type: 'MOON_PHASE', phase: 'full' }]
    const subjects = examples.map((example) => {
      const delivery = verify(
        headersOf({ 'X-SVC-Webhook-Signature': sign(JSON.stringify(example)) }),
        JSON.stringify(example),
      )
      return delivery.verified ? subjectOf(delivery.event) : delivery.reason
    })
    const { CONSENT, ACCOUNT_ENTRIES } = eventExamples
    expect(subjects).toContain(CONSENT.data.validUntil)
    expect(subjects).toContain(ACCOUNT_ENTRIES.data.newEntries)
    expect(subjects.slice(-2)).toEqual([testEventExample.createdAt, 'full'])
  })
})

const GUARDS = [
  isPaymentStatusChanged,
  isPayrollStatusChanged,
  isPayrollTransactionStatusChanged,
  isApprovalEnded,
  isConsentChanged,
  isOnboardingStatusChanged,
  isExchangeStepped,
  isAccountEntriesBooked,
  isTest,
] as const

/** Compiles only where `switch` narrows the union. */
function subjectOf(event: WebhookEvent): unknown {
  switch (event.type) {
    case 'CONSENT_EXPIRING':
      return event.data.validUntil
    case 'ACCOUNT_ENTRIES_BOOKED':
      return event.data.newEntries
    case 'webhook.test':
      return event.createdAt
    default:
      return 'phase' in event ? event['phase'] : event.id
  }
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = Math.floor(bit / 8)
  copy[index] = (copy[index] ?? 0) ^ (1 << (bit % 8))
  return copy
}
