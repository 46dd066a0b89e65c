/** Tests how payments are read one by one and in lists, and which queries are rejected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentPage } from '../../contract/payments/payment-operations.ts'
import {
  countSideEffects,
  sendRawRequest,
  UNKNOWN_ID,
  validHeaders,
  withoutRequestId,
} from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, OLA } from '../testing/payments/sample-payments.ts'

const PAYMENTS = 5
let gateway: TestGateway
let headers: Record<string, string>
/** In the order of their creation. */
const ids: string[] = []
let theirs: string
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway)
  const consented = await acceptedConsent(gateway)
  for (let n = 0; n < PAYMENTS; n += 1) {
    const body = domesticPayment(gateway, { metadata: { endToEndId: n < 2 ? 'TWICE' : `ONCE-${n}` } })
    const amount = { amount: `${n + 1}.00`, currency: 'NOK' }
    ids.push((await gateway.client.initiateDomesticPayment({ ...consented, body: { ...body, amount } })).paymentId)
  }
  const other = await gateway.otherPartner()
  const theirConsent = await acceptedConsent(other, OLA)
  const body = domesticPayment(gateway, { metadata: { endToEndId: 'TWICE' } })
  theirs = (await other.client.initiateDomesticPayment({ ...theirConsent, body })).paymentId
})
afterAll(() => gateway.close())

const list = (query: string) => sendRawRequest(gateway, ['GET', `/api/v2/payments${query}`], { headers })
const listedIds = async (query: string) => (await page(query)).payments.map(({ paymentId }) => paymentId)

async function page(query: string): Promise<PaymentPage> {
  const { status, body } = await list(query)
  expect(status).toBe(200)
  // The schema of the contract has validated the shape.
  return body as PaymentPage
}

describe('one payment, and its status', () => {
  test.each(['', '/status'])(
    'at …%s: another partner’s payment returns 404, exactly like an unknown one',
    async (tail) => {
      const their = await sendRawRequest(gateway, ['GET', `/api/v2/payments/${theirs}${tail}`], { headers })
      expect(their).toMatchObject({ status: 404, body: { message: 'There is no payment with this id' } })
      const nobodys = await sendRawRequest(gateway, ['GET', `/api/v2/payments/${UNKNOWN_ID}${tail}`], { headers })
      expect(withoutRequestId(their)).toEqual(withoutRequestId(nobodys))
    },
  )

  test.each(['not-an-id', '%00', '0', `${UNKNOWN_ID}0`, "'%20or%201=1"])('%s is not an id: 404', async (id) => {
    const before = await countSideEffects(gateway)
    for (const tail of ['', '/status']) {
      expect(await sendRawRequest(gateway, ['GET', `/api/v2/payments/${id}${tail}`], { headers })).toMatchObject({
        status: 404,
      })
    }
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('what its order had too much is not returned, even if it is named like a field of the answer', async () => {
    const order = domesticPayment(gateway)
    const account = { ...order.from.account, iban: 1 }
    const body = { ...order, from: { ...order.from, account }, costAmount: '1', timeline: 'none', payout: {} }
    const other = await gateway.otherPartner()
    const consented = await acceptedConsent(other, OLA)
    const { paymentId } = await other.client.initiateDomesticPayment({ ...consented, body })
    const payment = await other.client.getPayment({ params: { paymentId } })
    const { payments } = await other.client.listPayments({ query: { endToEndId: order.metadata.endToEndId } })
    expect(payment).toMatchObject(order)
    for (const shown of [payment, payments[0]]) {
      expect(shown?.from.account).toEqual(order.from.account)
      expect(Object.keys(shown ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/costAmount|timeline|payout/)]),
      )
    }
  })

  test('an id in capital letters is the same id', async () => {
    const { status, body } = await sendRawRequest(gateway, ['GET', `/api/v2/payments/${ids[0]?.toUpperCase()}`], {
      headers,
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { paymentId: ids[0], amount: { amount: '1.00' } } })
  })
})

describe('a list of payments', () => {
  test('contains the partner’s own payments, oldest first', async () => {
    expect(await page('')).toMatchObject({ payments: ids.map((paymentId) => ({ paymentId })), nextCursor: null })
  })

  test('is returned page by page, each payment once, until there is no cursor', async () => {
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { payments, nextCursor }: PaymentPage = await page(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      pages.push(payments.map(({ paymentId }) => paymentId))
      cursor = nextCursor
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(ids)
  })

  test('has no cursor when the last page is full', async () => {
    expect((await page(`?limit=${PAYMENTS}`)).nextCursor).toBeNull()
  })

  test('rejects another partner’s cursor, and one of a list with other filters', async () => {
    const rejectedWith = (reason: RegExp) => ({
      status: 422,
      body: [{ code: 'InvalidRequest', path: '.cursor', reason: expect.stringMatching(reason) }],
    })
    const { nextCursor: cursor } = await page('?limit=1')
    const { client } = await gateway.otherPartner()
    await expect(client.listPayments({ query: { cursor: cursor ?? '' } })).rejects.toMatchObject({
      status: 422,
      validationErrors: [
        {
          path: '.cursor',
          reason: expect.stringContaining('cursor is not a cursor of this list; send nextCursor unchanged'),
        },
      ],
    })
    expect(await list(`?status=Unsigned&cursor=${cursor}`)).toMatchObject(rejectedWith(/other filters/))
    expect(await list(`?limit=3&cursor=${cursor}`)).toMatchObject({ status: 200 })
  })

  test('of changes is in their order; what changes meanwhile is returned again, and nothing is skipped', async () => {
    const since = `updatedSince=${gateway.context.clock.today('UTC').subtract({ days: 1 })}`
    const first = await page(`?${since}&limit=2`)
    expect(first.payments.map(({ paymentId }) => paymentId)).toEqual(ids.slice(0, 2))
    const { pool } = gateway.context.database
    const now = gateway.context.clock.now().toString()
    await pool.query('update payments set changed_at = $1 where id = $2', [now, ids[0]])
    expect(await listedIds(`?${since}&cursor=${first.nextCursor}`)).toEqual([...ids.slice(2), ids[0]])
    await pool.query('update payments set changed_at = created_at where id = $1', [ids[0]])
  })

  test('is sorted by creation time, not by id', async () => {
    const { pool } = gateway.context.database
    const { rows } = await pool.query('select created_at::text as at from payments where id = $1', [ids[4]])
    await pool.query('update payments set created_at = $1 where id = $2', ['2020-01-01T00:00:00Z', ids[4]])
    const first = await page('?limit=1')
    expect(first.payments.map(({ paymentId }) => paymentId)).toEqual([ids[4]])
    expect(await listedIds(`?cursor=${first.nextCursor}`)).toEqual(ids.slice(0, 4))
    await pool.query('update payments set created_at = $1 where id = $2', [rows[0].at, ids[4]])
  })

  test('finds an order by its endToEndId', async () => {
    expect(await listedIds('?endToEndId=TWICE')).toEqual(ids.slice(0, 2))
    expect(await listedIds('?endToEndId=ONCE-2')).toEqual(ids.slice(2, 3))
    expect(await listedIds("?endToEndId=' or 1=1 --")).toEqual([])
  })

  test('is filtered by status, company, day and change', async () => {
    const today = gateway.context.clock.today('UTC')
    const [yesterday, tomorrow] = [today.subtract({ days: 1 }), today.add({ days: 1 })]
    expect(await listedIds('?status=Unsigned')).toEqual(ids)
    expect(await listedIds('?status=Completed')).toEqual([])
    expect(await listedIds('?organizationNumber=987654325')).toEqual(ids)
    expect(await listedIds('?organizationNumber=987654333')).toEqual([])
    expect(await listedIds(`?fromDate=${yesterday}&toDate=${tomorrow}`)).toEqual(ids)
    expect(await listedIds(`?fromDate=${tomorrow}`)).toEqual([])
    expect(await listedIds(`?toDate=${yesterday}`)).toEqual([])
    expect(await listedIds(`?updatedSince=${yesterday}`)).toEqual(ids)
    expect(await listedIds(`?updatedSince=${tomorrow}T00:00:00Z`)).toEqual([])
  })

  test('ignores unknown parameters', async () => {
    expect(await listedIds('?colour=blue')).toEqual(ids)
  })

  test.each<[query: string, validationErrors: readonly (readonly [path: string, reason: string | RegExp])[]]>([
    ['?limit=0', [['.limit', /1/]]],
    ['?limit=100000', [['.limit', /must be at most/]]],
    ['?limit=many', [['.limit', 'must be a whole number']]],
    ['?limit=1.5', [['.limit', 'must be a whole number']]],
    ['?limit=', [['.limit', 'must be a whole number']]],
    ['?status=unsigned', [['.status', /must be one of Unsigned/]]],
    ['?status=Unsigned&status=Completed', [['.status', /./]]],
    ['?endToEndId=a&endToEndId=b', [['.endToEndId', 'must be sent once']]],
    ['?endToEndId=%00', [['.endToEndId', 'contains the character U+0000']]],
    ['?organizationNumber=9%00', [['.organizationNumber', 'contains the character U+0000']]],
    ['?fromDate=2026-02-30', [['.fromDate', 'is not a valid date']]],
    ['?fromDate=today', [['.fromDate', /must /]]],
    ['?updatedSince=2026-11-21T25:00:00Z', [['.updatedSince', /must be a date/]]],
    ['?updatedSince=2026-02-29', [['.updatedSince', 'is not a valid date']]],
    ['?updatedSince=2026-11-21T10:00:00', [['.updatedSince', /must /]]],
    ['?cursor=x', [['.cursor', 'is not a cursor of this list; send nextCursor unchanged']]],
    ['?cursor=%00', [['.cursor', /./]]],
    [`?cursor=${Buffer.from(`2026-01-01T00:00:00Z ${UNKNOWN_ID}`).toString('base64url')}`, [['.cursor', /cursor/]]],
    ['?fromDate=2026-11-22&toDate=2026-11-21', [['.toDate', 'is before fromDate']]],
    [
      '?cursor=x&toDate=2026-02-30&fromDate=2026-02-31&limit=0',
      [
        ['.cursor', /cursor/],
        ['.toDate', 'is not a valid date'],
        ['.fromDate', 'is not a valid date'],
        ['.limit', /at least 1/],
      ],
    ],
  ])('is rejected for %s', async (query, validationErrors) => {
    const answer = await list(query)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject(
      validationErrors.map(([path, reason]) => ({
        code: 'InvalidRequest',
        path,
        reason: typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason),
      })),
    )
  })
})

describe('the endToEndId that the bank receives', () => {
  const LONG = `Faktura 20455 ${'x'.repeat(60)}`
  const shown = async (bic: string) => {
    const consented = await acceptedConsent(gateway, undefined, { bic })
    const { accounts } = await gateway.client.listAccounts(consented)
    const bban = accounts.find(({ name }) => name?.startsWith('Drift'))?.bban ?? ''
    const order = domesticPayment(gateway, { metadata: { endToEndId: LONG } })
    const body = { ...order, from: { ...order.from, account: { type: 'bban' as const, bban } } }
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consented, body })
    return (await sendRawRequest(gateway, ['GET', `/api/v2/payments/${paymentId}`], { headers })).body
  }

  test('is returned where the bank transmits one: the beginning, a hyphen and eight hexadecimal digits', async () => {
    const payment = Object(await shown('VSKYNO22'))
    expect(payment.metadata.endToEndId).toBe(LONG)
    expect(payment.bankEndToEndId).toMatch(/^Faktura 20455 x{12}-[0-9a-f]{8}$/)
  })

  test('is absent where the bank transmits none', async () => {
    expect(await shown('FJORNO22')).not.toHaveProperty('bankEndToEndId')
  })
})
