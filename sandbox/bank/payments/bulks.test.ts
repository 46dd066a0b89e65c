/** Tests bulks over XS2A: initiation, rendering, authorisation and cancellation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorSummary, MONDAY } from '../../testing/bank-test-client.ts'
import { bulkTestClient } from '../../testing/bulk-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf, type Reply } from '../../testing/third-party.ts'

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
const aurajoki = bulkTestClient(() => tested, 'AURAFIHH')
const paymentsIn = ({ body }: Reply) => (body as { payments: readonly Record<string, unknown>[] }).payments

test('Aurajoen Pankki accepts no id of the order, as the standard’s file has none', async () => {
  const rejected = await aurajoki.order(['1.00', '2.00'], { paymentInformationId: 'P-1' })
  expect(errorSummary(rejected)).toEqual([400, 'FORMAT_ERROR', 'paymentInformationId'])
})

describe.each([fjell, vestkyst, aurajoki].map((visit) => [visit.bank.name, visit] as const))('%s', (_name, visit) => {
  test('accepts many payments as one order, unsigned', async () => {
    const made = await visit.order(['12500.00', '9800.50', '0.01'], { batchBookingPreferred: true })
    expect(made.status).toBe(201)
    const path = `${visit.bulks}/${made.text('paymentId')}`
    expect(made.text('transactionStatus')).toBe(visit.bank.statuses.first)
    expect(made.text('_links.startAuthorisation.href')).toMatch(`${path}/authorisations`)
    expect(made.headers.get('location')).toMatch(path)
    expect(await visit.statusOf(path)).toBe(visit.bank.statuses.first)
    expect(await visit.inside(path)).toEqual([null, null, null])
  })

  test('returns the order as it was given', async () => {
    const id = visit === aurajoki ? {} : { paymentInformationId: 'P-1' }
    const changes = { ...id, requestedExecutionDate: '2031-03-10', batchBookingPreferred: true }
    const path = await visit.placed([visit.element('1.00', { creditorName: 'A' }), '2.00'], changes)
    const shown = await visit.tpp.send('GET', path)
    expect(shown.body).toMatchObject({ debtorAccount: visit.bank.account.main, ...changes })
    expect(paymentsIn(shown)).toMatchObject([visit.element('1.00', { creditorName: 'A' }), visit.element('2.00')])
  })

  test('signs all of it at once', async () => {
    const path = await visit.placed(['1.00', '2.00'])
    await visit.sign(path)
    expect(await visit.statusOf(path)).toBe(visit.bank.statuses.executing)
    await visit.clockTo('2031-03-03T08:01:00Z')
    expect(await visit.statusOf(path)).toBe(visit.bank.statuses.last)
    expect(await visit.inside(path)).toEqual(['ACSC', 'ACSC'])
  })

  test('requires two signatures where the account does', async () => {
    const path = await visit.placed(['1.00', '2.00'], { debtorAccount: visit.bank.account.twoSigners })
    await visit.sign(path)
    expect(await visit.statusOf(path)).toBe('PATC')
    await visit.sign(path, visit.bank.secondUser)
    expect(await visit.statusOf(path)).toBe(visit.bank.statuses.executing)
  })

  test('executes it at once on an account without signature', async () => {
    const made = await visit.order(['1.00', '2.00'], { debtorAccount: visit.bank.account.unsigned })
    expect(made.text('transactionStatus')).toBe(visit.bank.statuses.executing)
  })

  test('cancels it before and after signing as it does single payments', async () => {
    const later = { requestedExecutionDate: '2031-03-10' }
    const [unsigned, signed] = [await visit.placed(['1.00'], later), await visit.placed(['2.00'], later)]
    await visit.sign(signed)
    const answers = [await visit.tpp.send('DELETE', unsigned), await visit.tpp.send('DELETE', signed)]
    expect(answers.map(({ status }) => status)).toEqual(visit.bank.cancelling)
    expect(await visit.statusOf(unsigned)).toBe('CANC')
    if (answers[1]?.status === 202) {
      const { id } = await visit.tpp.authorise(`${signed}/cancellation-authorisations`)
      await visit.tpp.control('POST', `/authorisations/${id}/sign`, {})
    }
    expect(await visit.statusOf(signed)).toBe('CANC')
  })

  test('rejects it when it is not signed in time', async () => {
    const path = await visit.placed(['1.00', '2.00'])
    await visit.clockTo('2031-03-04T08:00:00Z')
    expect(await visit.statusOf(path)).toBe('RJCT')
  })

  test('returns it under the bulk service only', async () => {
    const path = await visit.placed(['1.00'])
    const unknown = [403, 'RESOURCE_UNKNOWN']
    expect(errorSummary(await visit.tpp.send('GET', path.replace('/bulk-', '/'))).slice(0, 2)).toEqual(unknown)
    const alone = await visit.place()
    const other = await visit.tpp.send('GET', `${visit.bulks}/${alone.text('paymentId')}`)
    expect(errorSummary(other).slice(0, 2)).toEqual(unknown)
  })
})

describe('payments with ids of their own', () => {
  test('have them in the response, and are read like single payments', async () => {
    const made = await vestkyst.order(['1.00', '2.00'], { requestedExecutionDate: '2031-03-10' })
    const ids = paymentsIn(made).map(({ paymentId }) => String(paymentId))
    expect(paymentsIn(await vestkyst.tpp.send('GET', `${vestkyst.bulks}/${made.text('paymentId')}`))).toMatchObject(
      ids.map((paymentId) => ({ paymentId })),
    )
    const second = `${vestkyst.bank.payments}/${ids[1]}`
    expect((await vestkyst.tpp.send('GET', second)).body).toEqual({
      ...vestkyst.element('2.00'),
      debtorAccount: vestkyst.bank.account.main,
      requestedExecutionDate: '2031-03-10',
      transactionStatus: 'PDNG',
    })
    expect((await vestkyst.tpp.send('GET', `${second}/status`)).body).toEqual({ transactionStatus: 'PDNG' })
  })

  test('are signed and cancelled only with their bulk', async () => {
    const [{ paymentId } = {}] = paymentsIn(await vestkyst.order(['1.00']))
    const path = `${vestkyst.bank.payments}/${paymentId}`
    const blocked = [400, 'RESOURCE_BLOCKED', undefined]
    expect(errorSummary(await vestkyst.tpp.send('DELETE', path))).toEqual(blocked)
    const headers = headersOf(vestkyst.bank)
    expect(errorSummary(await vestkyst.tpp.send('POST', `${path}/authorisations`, { body: {}, headers }))).toEqual(
      blocked,
    )
  })

  test('are unknown at a bank without ids', async () => {
    const path = await fjell.placed(['1.00'])
    const { body } = await fjell.tpp.control('GET', `/payments/${path.split('/').at(-1)}/elements`)
    const [, elementId] = /"paymentId":"([^"]+)"/.exec(JSON.stringify(body)) ?? []
    const read = await fjell.tpp.send('GET', `${fjell.bank.payments}/${elementId}`)
    expect(errorSummary(read).slice(0, 2)).toEqual([403, 'RESOURCE_UNKNOWN'])
  })
})

describe('the status of each payment', () => {
  test.each([
    [fjell, { transactionStatus: 'RCVD' }],
    [vestkyst, { paymentId: expect.any(String) }],
    [aurajoki, {}],
  ])('depends on the bank', async (visit, reported) => {
    const shown = await visit.tpp.send('GET', await visit.placed(['1.00']))
    expect(paymentsIn(shown)).toEqual([{ ...visit.element('1.00'), ...reported }])
  })
})

describe('a basket', () => {
  const headers = headersOf(vestkyst.bank)

  test('contains bulks where the bank supports that, and signs them together', async () => {
    const paths = [await vestkyst.placed(['1.00', '2.00']), await vestkyst.placed(['3.00'])]
    const paymentIds = paths.map((path) => path.split('/').at(-1))
    const made = await vestkyst.tpp.send('POST', '/signing-baskets', { body: { paymentIds }, headers })
    await vestkyst.sign(`/signing-baskets/${made.text('basketId')}`)
    expect([await vestkyst.statusOf(paths[0] ?? ''), await vestkyst.statusOf(paths[1] ?? '')]).toEqual(['ACSP', 'ACSP'])
  })

  test('contains none elsewhere', async () => {
    const paymentIds = [(await aurajoki.order(['1.00'])).text('paymentId')]
    const own = headersOf(aurajoki.bank)
    const made = await aurajoki.tpp.send('POST', '/signing-baskets', { body: { paymentIds }, headers: own })
    expect(errorSummary(made).slice(0, 2)).toEqual([400, 'REFERENCE_MIX_INVALID'])
  })
})

describe('events at the bank', () => {
  const idOf = (path: string) => path.split('/').at(-1)

  test('a bulk is signed and cancelled in the online bank', async () => {
    const [one, other] = [await fjell.placed(['1.00', '2.00']), await fjell.placed(['3.00'])]
    await fjell.tpp.control('POST', `/payments/${idOf(one)}/sign`, { userId: fjell.bank.user })
    await fjell.tpp.control('POST', `/payments/${idOf(other)}/cancel`, { userId: fjell.bank.user })
    expect([await fjell.statusOf(one), await fjell.statusOf(other)]).toEqual(['ACSP', 'CANC'])
  })

  test('its payments are listed with all that was ordered', async () => {
    const { body } = await fjell.tpp.control('GET', `/payments/${idOf(await fjell.placed(['1.00', '2.50']))}/elements`)
    const common = { transactionStatus: null, shownStatus: 'RCVD', creditorName: 'Unni Åsen', currency: 'NOK' }
    expect(body).toMatchObject([
      { ...common, position: 0, amount: '1.00', creditorAccount: '86011117947', body: fjell.element('1.00') },
      { ...common, position: 1, amount: '2.50' },
    ])
    const id = '01900000-0000-7000-8000-000000000000'
    expect((await fjell.tpp.control('GET', `/payments/${id}/elements`)).status).toBe(404)
  })

  test.each([
    ['initiateBulkPayment', 'POST', ''],
    ['getBulkPayment', 'GET', '/id'],
    ['getBulkPaymentStatus', 'GET', '/id/status'],
    ['cancelBulkPayment', 'DELETE', '/id'],
  ])('a fault affects %s only', async (operation, method, suffix) => {
    const placed = await fjell.placed(['1.00'])
    const fault = { bank: 'FJELNO22', operation, effect: 'status', status: 503 }
    expect((await fjell.tpp.control('POST', '/faults', fault)).status).toBe(200)
    const path = `${fjell.bulks}${suffix.replace('id', String(idOf(placed)))}`
    expect((await fjell.tpp.send(method, path, { headers: headersOf(fjell.bank) })).status).toBe(503)
    expect((await fjell.place()).status).toBe(201)
  })
})
