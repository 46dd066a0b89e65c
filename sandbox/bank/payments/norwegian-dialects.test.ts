/** Tests what is specific to single banks in Norway: what their profiles accept, reject and report. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankTestClient, errorSummary, MONDAY, NO_MESSAGE, single } from '../../testing/bank-test-client.ts'
import { orderForBank } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: TestBank
const at = (bic: string) => bankTestClient(() => tested, bic)
beforeAll(async () => {
  tested = await startTestBank()
  await at('FJORNO22').tpp.control('POST', '/clock', { now: MONDAY })
})
afterAll(() => tested.close())

describe('Fjell Sparebank', () => {
  const { tpp, place, bank } = at('FJELNO22')

  test('accepts a KID in a single field, and no list of them', async () => {
    expect((await place(single('2345676'))).status).toBe(201)
    expect(errorSummary(await place(single('2345674')))).toEqual([
      400,
      'FORMAT_ERROR',
      'remittanceInformationStructured',
    ])
    const list = { ...NO_MESSAGE, remittanceInformationStructuredArray: [{ reference: '2345676' }] }
    expect(errorSummary(await place(list))).toEqual([400, 'FORMAT_ERROR', 'remittanceInformationStructuredArray'])
    const both = { remittanceInformationStructured: { reference: '2345676' } }
    expect(errorSummary(await place(both))).toEqual([400, 'FORMAT_ERROR', 'remittanceInformationStructured'])
  })

  test('rejects an equal order of the same day unless the third party insists', async () => {
    const like = { instructedAmount: { currency: 'NOK', amount: '311.00' } }
    expect((await place(like)).status).toBe(201)
    expect(errorSummary(await place(like))).toEqual([400, 'PAYMENT_FAILED', undefined])
    const insisting = await tpp.send('POST', `${bank.payments}?allowLogicalDuplicate=true`, {
      body: orderForBank(bank, like),
      headers: headersOf(bank),
    })
    expect(insisting.status).toBe(201)
  })

  test('accepts an order again that equals a cancelled one', async () => {
    const like = { instructedAmount: { currency: 'NOK', amount: '312.00' } }
    const first = await place(like)
    await tpp.send('DELETE', `${bank.payments}/${first.text('paymentId')}`)
    expect((await place(like)).status).toBe(201)
  })
})

describe('Vestkyst Sparebank', () => {
  const { tpp, place, bank } = at('VSKYNO22')

  test('stores an end-to-end id', async () => {
    const made = await place({ endToEndIdentification: 'E2E-1' })
    const held = await tpp.send('GET', `${bank.payments}/${made.text('paymentId')}`)
    expect(held.body).toMatchObject({ endToEndIdentification: 'E2E-1', transactionStatus: 'PDNG' })
  })

  test('reports a missing KID with the other code', async () => {
    const rejected = await place({ creditorAccount: { bban: '80523000024' } })
    expect(errorSummary(rejected)).toEqual([401, 'REQUIRED_KID_MISSING', 'remittanceInformationStructuredArray'])
  })

  test('lists cancellations under a name of its own', async () => {
    const id = (await place({ requestedExecutionDate: '2031-03-20' })).text('paymentId')
    await tpp.sign(`${bank.payments}/${id}/authorisations`)
    const path = `${bank.payments}/${id}/cancellation-authorisations`
    await tpp.sign(path)
    expect((await tpp.send('GET', path)).body).toEqual({ cancellationIds: [expect.any(String)] })
  })

  test('offers consents without lists of accounts only', async () => {
    const body = { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '9999-12-31' }
    const rejected = await tpp.send('POST', '/consents', {
      body: { ...body, frequencyPerDay: 4, combinedServiceIndicator: false },
      headers: headersOf(bank),
    })
    expect(errorSummary(rejected)).toEqual([400, 'SERVICE_INVALID', 'access'])
  })
})

describe('Havbanken', () => {
  const { tpp, place } = at('HAVBNO22')

  test('returns problem details, has relative links and sends no notifications', async () => {
    const made = await place({}, { 'TPP-Notification-URI': 'http://127.0.0.1:9/hint' })
    expect(made.text('_links.startAuthorisation.href')).toMatch(/^\/havbanken\/v1\//)
    expect(made.headers.get('aspsp-notification-support')).toBe('false')
    const rejected = await place({ endToEndIdentification: 'E2E-1' })
    expect(rejected.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(errorSummary(rejected)).toEqual([400, 'FORMAT_ERROR', 'endToEndIdentification'])
  })

  test('has user ids of its own', async () => {
    const rejected = await place({}, { 'PSU-ID': '01815012345' })
    expect(errorSummary(rejected)).toEqual([401, 'PSU_CREDENTIALS_INVALID', 'PSU-ID'])
    expect((await tpp.consent()).length).toBeGreaterThan(0)
  })
})
