/** Tests rejected bulk orders: each error has a path, and nothing of the order is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { bankTestClient, errorSummary, MONDAY, single } from '../../testing/bank-test-client.ts'
import { bulkTestClient } from '../../testing/bulk-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())
beforeEach(async () => {
  await fjell.tpp.control('POST', '/reset')
  await fjell.clockTo(MONDAY)
})

const fjell = bulkTestClient(() => tested, 'FJELNO22')
const vestkyst = bulkTestClient(() => tested, 'VSKYNO22')

describe('an order is rejected', () => {
  const bad = (changes: object) => [fjell.element('1.00'), fjell.element('1.00', changes)]
  test.each([
    ['without payments', [], {}, [400, 'FORMAT_ERROR', 'payments']],
    [
      'for an invalid account',
      bad({ creditorAccount: { bban: '12' } }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.creditorAccount'],
    ],
    [
      'for the debtor account',
      bad({ creditorAccount: fjell.bank.account.main }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.creditorAccount'],
    ],
    [
      'in another currency',
      bad({ instructedAmount: { currency: 'SEK', amount: '1.00' } }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.instructedAmount'],
    ],
    [
      'for an amount of zero',
      bad({ instructedAmount: { currency: 'NOK', amount: '0.00' } }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.instructedAmount'],
    ],
    ['without a name', bad({ creditorName: undefined }), {}, [400, 'FORMAT_ERROR', 'payments.1.creditorName']],
    [
      'with an end-to-end id',
      bad({ endToEndIdentification: 'E' }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.endToEndIdentification'],
    ],
    [
      'with an invalid KID',
      bad(single('12345')),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.remittanceInformationStructured'],
    ],
    [
      'without the required KID',
      bad({ creditorAccount: { bban: '80513000026' } }),
      {},
      [401, 'KID_MISSING', 'payments.1.remittanceInformationStructured'],
    ],
    [
      'with a debtor in a payment',
      bad({ debtorAccount: fjell.bank.account.main }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.debtorAccount'],
    ],
    [
      'with a date in a payment',
      bad({ requestedExecutionDate: '2031-03-10' }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.requestedExecutionDate'],
    ],
    [
      'with a time',
      bad({}),
      { requestedExecutionTime: '2031-03-10T08:00:00Z' },
      [400, 'FORMAT_ERROR', 'requestedExecutionTime'],
    ],
    [
      'for a date in the past',
      bad({}),
      { requestedExecutionDate: '2031-03-02' },
      [400, 'EXECUTION_DATE_INVALID', 'requestedExecutionDate'],
    ],
    [
      'from an account without the right to pay',
      bad({}),
      { debtorAccount: fjell.bank.account.notPayable },
      [403, 'SERVICE_BLOCKED', 'debtorAccount'],
    ],
    [
      'when it contains an amount with that outcome',
      bad({ instructedAmount: { currency: 'NOK', amount: '7732.00' } }),
      {},
      [400, 'FORMAT_ERROR', 'payments.1.creditorAccount'],
    ],
  ])('%s', async (_what, payments, changes, expected) => {
    expect(errorSummary(await fjell.order(payments, changes))).toEqual(expected)
    expect((await fjell.tpp.control('GET', '/payments')).body).toEqual([])
  })

  test('with its first hundred errors', async () => {
    const rejected = await fjell.order(Array.from({ length: 150 }, () => fjell.element('0.00')))
    expect((rejected.body as { tppMessages: readonly unknown[] }).tppMessages).toHaveLength(100)
  })

  test('when an equal one was ordered the same day, unless both are intended', async () => {
    expect((await fjell.order(['1.00', '2.00'])).status).toBe(201)
    expect((await fjell.order(['2.00', '1.00'])).status).toBe(201)
    expect(errorSummary(await fjell.order(['1.00', '2.00'])).slice(0, 2)).toEqual([400, 'PAYMENT_FAILED'])
  })

  test('for cross-border payments, under an unknown product, and at a bank without bulks', async () => {
    const headers = headersOf(vestkyst.bank)
    const send = (product: string) =>
      vestkyst.tpp.send('POST', `/bulk-payments/${product}`, { body: { payments: [] }, headers })
    expect(errorSummary(await send('norwegian-cross-border-credit-transfers')).slice(0, 2)).toEqual([
      404,
      'PRODUCT_UNKNOWN',
    ])
    expect(errorSummary(await send('sepa-credit-transfers')).slice(0, 2)).toEqual([404, 'PRODUCT_UNKNOWN'])
    const { tpp } = bankTestClient(() => tested, 'FJORNO22')
    for (const [method, path] of [
      ['POST', vestkyst.bulks],
      ['GET', `${vestkyst.bulks}/${newId()}`],
    ] as const) {
      expect(errorSummary(await tpp.send(method, path, { headers })).slice(0, 2)).toEqual([405, 'SERVICE_INVALID'])
    }
  })

  test('when it is longer than the limit of bulks; the limit of single payments is lower', async () => {
    const long = (length: number) => ({ unknownMember: 'x'.repeat(length) })
    expect((await fjell.order(['1.00'], long(1_000_000))).status).toBe(201)
    const tooLarge = { tppMessages: [expect.objectContaining({ text: 'The body is too large' })] }
    expect((await fjell.order(['1.00'], long(16 * 1024 * 1024))).body).toMatchObject(tooLarge)
    expect((await fjell.place(long(1_000_000))).body).toMatchObject(tooLarge)
  })
})
