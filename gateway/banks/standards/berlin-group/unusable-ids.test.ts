/** Shows which ids of banks are used in paths, and that one which cannot be never means that nothing is there. */
import { describe, expect, test } from 'vitest'
import type { UnusableOrderIdError } from '../../connector/bank-error.ts'
import { statedText } from '../../connector/bank-text.ts'
import {
  SAMPLE_AUTHORISATION_REQUEST,
  SAMPLE_RETURN_URLS,
  sampleCaller,
  sampleOrder,
  sampleSubmittedOrder,
} from '../../testing/samples.ts'
import { scriptedBank } from '../../testing/scripted-bank.ts'

const REQUEST = { requestId: '019ab1c2-0000-7000-8000-000000000001', notification: SAMPLE_RETURN_URLS.notification }
const UNUSABLE = [
  ...['', '.', '..', '../x', 'a/..', 'a\\.\\b', '/../', ' ', ' a', 'a b', 'a\n', '\u0000', 'a\u0007', 'a\u007f'],
  ...['\u200b', '\ud800', 'x'.repeat(201)],
]
const USABLE = [
  ...[
    '/',
    'a/b',
    '////8J+Yhg==',
    '%2e%2e',
    '%2F',
    'a%20b',
    '?',
    'a?b',
    '#',
    'a#b',
    '\\',
    'a\\b',
    'é',
    '{id}',
    'a..b/c',
  ],
  ...['...', '.a', 'a.', '1', '019ab1c2-0000-7000-8000-000000000001', 'b64+b64==', "a~b!c$d&e'f(g)h*i,j;k:l@m_n"],
  'x'.repeat(200),
]

const bankOf = (body: object) => scriptedBank(() => ({ body }))
const initiated = (paymentId: string) =>
  bankOf({ transactionStatus: 'RCVD', paymentId, _links: {} }).connector.domesticPayments?.initiate(
    sampleCaller(),
    sampleOrder(),
    REQUEST,
  )

describe('an order', () => {
  test.each(UNUSABLE)('acknowledged as %j has an unknown outcome, with the id for operators', async (id) => {
    const error: UnusableOrderIdError = await initiated(id)?.then(
      () => undefined,
      (reason) => reason,
    )
    expect(error).toMatchObject({ name: 'UnusableOrderIdError', kind: 'outcome-unknown' })
    expect(JSON.parse(error.quotedId)).toBe(id.toWellFormed().slice(0, 200))
    expect(error.quotedId).not.toMatch(/\p{Cc}/u)
  })

  test.each(USABLE)('acknowledged as %j is known by that, in one segment of a path', async (id) => {
    expect(await initiated(id)).toMatchObject({ bankPaymentId: id })
    const { connector, requested } = scriptedBank((_request, call) =>
      call === 1
        ? { body: { transactionStatus: 'RCVD' } }
        : { status: 404, headers: {}, body: '{"tppMessages":[{"category":"ERROR","code":"RESOURCE_UNKNOWN"}]}' },
    )
    const read = () => connector.domesticPayments?.read(sampleCaller(), sampleSubmittedOrder(id), { signed: false })
    await read()
    expect(decodeURIComponent(new URL(requested[0]?.url ?? '').pathname.split('/').at(-2) ?? '')).toBe(id)
    // Where a server may have made two segments of it, that there is no such order proves nothing.
    await expect(read()).rejects.toMatchObject({ kind: /[/\\%]/.test(id) ? 'unavailable' : 'unknown-resource' })
  })

  test('that was stored under such an id is not asked for, and does not count as gone', async () => {
    const { connector, requested } = bankOf({ transactionStatus: 'RJCT' })
    const read = connector.domesticPayments?.read(sampleCaller(), sampleSubmittedOrder('..'), { signed: false })
    await expect(read).rejects.toMatchObject({ kind: 'request-rejected' })
    expect(requested).toEqual([])
  })
})

test.each(UNUSABLE)('no other resource is used under the id %j', async (id) => {
  const caller = sampleCaller()
  const terms = { validUntil: Temporal.PlainDate.from('2027-05-01'), requestId: REQUEST.requestId }
  const { consents } = bankOf({ consentStatus: 'received', consentId: id }).connector
  await expect(consents.create(caller, terms)).rejects.toMatchObject({ kind: 'unavailable' })

  const links = { scaRedirect: { href: 'https://sign.fjordbanken.example/sca/1' } }
  const started = bankOf({ scaStatus: 'received', authorisationId: id, _links: links }).connector.domesticPayments
  const order = sampleSubmittedOrder()
  for (const authorisations of [started?.authorisations, started?.cancellation.authorisations]) {
    await expect(authorisations?.start(caller, order, SAMPLE_AUTHORISATION_REQUEST)).rejects.toMatchObject({
      kind: 'unavailable',
    })
  }

  const { baskets } = bankOf({ transactionStatus: 'RCVD', basketId: id }).connector
  const basket = { payments: [order], requestId: REQUEST.requestId, back: SAMPLE_RETURN_URLS }
  await expect(baskets?.create(caller, basket)).rejects.toMatchObject({ kind: 'outcome-unknown' })

  const account = { iban: 'NO9386011117947', currency: 'NOK' }
  const listed = bankOf({
    accounts: [
      { ...account, resourceId: id },
      { ...account, resourceId: 'r1' },
    ],
  })
  const accounts = [...(statedText(id) === null ? [] : [{ resourceId: null }]), { resourceId: 'r1' }]
  expect(await listed.connector.accounts?.list(caller)).toMatchObject({ accounts })
})
