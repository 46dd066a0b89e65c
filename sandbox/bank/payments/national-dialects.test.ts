/** Tests what is specific to single banks in Norway, Denmark and Finland: what their profiles accept, reject and report. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankTestClient, errorSummary, MONDAY, NO_MESSAGE, single, text } from '../../testing/bank-test-client.ts'
import { orderForBank } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf, type ThirdParty } from '../../testing/third-party.ts'

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

  test('accepts one of equal orders that arrive at once', async () => {
    const amounts = Array.from({ length: 8 }, (_, index) => `315.0${index}`)
    const pairs = amounts.map(async (amount) => {
      const like = { instructedAmount: { currency: 'NOK', amount } }
      const [one, other] = await Promise.all([place(like), place(like)])
      return [one.status, other.status].toSorted()
    })
    expect(await Promise.all(pairs)).toEqual(amounts.map(() => [201, 400]))
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
    const rejected = await place({ endToEndIdentification: 'E2E-1', creditorName: '€' })
    expect(rejected.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const reported = (path: string) => ({
      code: 'FORMAT_ERROR',
      detail: expect.stringMatching(`^${path}: `),
    })
    expect([rejected.status, rejected.body]).toMatchObject([
      400,
      { ...reported('creditorName'), additionalErrors: [reported('endToEndIdentification')] },
    ])
  })

  test('has user ids of its own', async () => {
    const rejected = await place({}, { 'PSU-ID': '01815012345' })
    expect(errorSummary(rejected)).toEqual([401, 'PSU_CREDENTIALS_INVALID', 'PSU-ID'])
    expect((await tpp.consent()).length).toBeGreaterThan(0)
  })
})

describe('Danish banks', () => {
  const form = (identification: string, reference: string, message?: string) => ({
    creditorAccount: { other: { identification, schemeNameProprietary: 'giro' } },
    creditorName: undefined,
    ...single(reference),
    ...(message === undefined ? {} : { remittanceInformationUnstructuredArray: [message] }),
  })

  test.each([
    ['89900120', '71/000100017156728', undefined, 201],
    ['89900120', '71/000100017156723', undefined, 400],
    ['89900120', '71/000100017156728', 'Faktura 4711', 400],
    ['89900120', '73', 'Faktura 4711', 400],
    ['89900138', '73', 'Faktura 4711', 201],
    ['89900138', '75/0000001234567897', 'Faktura 4711', 201],
    ['9900120', '04/2150263480000023', undefined, 201],
    ['9900120', '04/2150263480000025', undefined, 400],
    ['9900120', '01', 'Faktura 4711', 201],
    ['71234567', '71/000100017156728', undefined, 400],
    ['81234567', '71/000100017156728', undefined, 201],
  ])('pay form %s with %s and message %s: %i', async (number, reference, message, status) => {
    expect((await at('ORESDK22').place(form(number, reference, message))).status).toBe(status)
  })

  test('accept messages as lists only', async () => {
    const rejected = await at('ORESDK22').place({ ...NO_MESSAGE, remittanceInformationUnstructured: 'Faktura' })
    expect(errorSummary(rejected)).toEqual([400, 'FORMAT_ERROR', 'remittanceInformationUnstructured'])
  })

  test('Bæltbanken accepts national numbers only, and no day on which banks are closed', async () => {
    const { place } = at('BLTBDK22')
    const iban = await place({ creditorAccount: { iban: 'DK6796340001200011' } })
    expect(errorSummary(iban)).toEqual([400, 'FORMAT_ERROR', 'creditorAccount'])
    const closed = await place({ requestedExecutionDate: '2031-06-05' })
    expect(errorSummary(closed)).toEqual([400, 'EXECUTION_DATE_INVALID', 'requestedExecutionDate'])
    expect(closed.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  test('Bæltbanken has no link to the payment itself, and sends messages with a status', async () => {
    const { tpp, place, bank } = at('BLTBDK22')
    const made = await place()
    expect(made.body).not.toHaveProperty('_links.self')
    expect(made.headers.get('location')).toMatch(`${bank.payments}/${made.text('paymentId')}`)
    const { body } = await tpp.send('GET', `${bank.payments}/${made.text('paymentId')}/status`)
    expect(body).toMatchObject({ transactionStatus: 'RCVD', tppMessage: [{ category: 'WARNING' }] })
  })

  test('Limfjordsbanken responds with ids of its own and unknown links, and cancels nothing', async () => {
    const { tpp, place, bank } = at('LIMFDK22')
    const requestId = crypto.randomUUID()
    const made = await place({}, { 'X-Request-ID': requestId })
    expect(made.headers.get('x-request-id')).not.toBe(requestId)
    expect(made.body).toHaveProperty('_links.netbank')
    const rejected = await tpp.send('DELETE', `${bank.payments}/${made.text('paymentId')}`)
    expect(errorSummary(rejected)).toEqual([405, 'CANCELLATION_INVALID', undefined])
  })
})

describe('banks with IBANs', () => {
  test.each(['SKARSESS', 'SAIMFIHH', 'AURAFIHH'])('%s accepts no national number', async (bic) => {
    const rejected = await at(bic).place({ creditorAccount: { bban: '79902000010' } })
    expect(errorSummary(rejected)).toEqual([400, 'FORMAT_ERROR', 'creditorAccount'])
  })

  test.each(['SKARSESS', 'AURAFIHH'])('%s has the entry of a payment whose status does not change', async (bic) => {
    const { tpp, place, bank } = at(bic)
    const id = (await place({ endToEndIdentification: `E2E-${bic}` })).text('paymentId')
    await tpp.sign(`${bank.payments}/${id}/authorisations`)
    await tpp.control('POST', `/payments/${id}/settle`)
    const { body } = await tpp.send('GET', `${bank.payments}/${id}/status`)
    expect(body).toEqual({ transactionStatus: bank.statuses.last })
    const { body: known } = await tpp.control('GET', `/payments?bank=${bic}`)
    expect(known).toMatchObject([{ transactionStatus: 'ACSC', shownStatus: bank.statuses.last }])
    const entry = { transactionAmount: { currency: bank.currency, amount: '-1250.00' }, endToEndId: `E2E-${bic}` }
    expect(await entriesAt(tpp)).toMatchObject({
      transactions: { booked: expect.arrayContaining([expect.objectContaining(entry)]) },
    })
  })

  test.each([
    ['1234561', 201],
    ['RF18539007547034', 201],
    ['1234562', 400],
    ['RF17539007547034', 400],
  ])('Saimaan Pankki validates the reference %s', async (reference, status) => {
    expect((await at('SAIMFIHH').place(text(reference))).status).toBe(status)
  })

  test.each([
    ['SAIMFIHH', 'an object', single('1234561')],
    ['SAIMFIHH', 'a text that is too long', text('1'.repeat(141))],
    ['ORESDK22', 'a text', text('1234561')],
  ])('%s accepts no reference as %s', async (bic, _form, reference) => {
    expect(errorSummary(await at(bic).place(reference))).toEqual([
      400,
      'FORMAT_ERROR',
      'remittanceInformationStructured',
    ])
  })

  test('Aurajoen Pankki reports in a body that it has cancelled', async () => {
    const { tpp, place, bank } = at('AURAFIHH')
    const id = (await place()).text('paymentId')
    const cancelled = await tpp.send('DELETE', `${bank.payments}/${id}`)
    expect([cancelled.status, cancelled.body]).toEqual([200, { transactionStatus: 'CANC' }])
  })
})

async function entriesAt(tpp: ThirdParty): Promise<unknown> {
  const headers = { 'PSU-IP-Address': '192.0.2.7', 'Consent-ID': await tpp.consent() }
  const accountId = (await tpp.send('GET', '/accounts', { headers })).text('accounts.0.resourceId')
  const query = 'bookingStatus=booked&dateFrom=2031-03-01'
  return (await tpp.send('GET', `/accounts/${accountId}/transactions?${query}`, { headers })).body
}
