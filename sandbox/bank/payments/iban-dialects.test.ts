/** Tests banks that identify accounts by IBAN, some of which never report settlement. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankTestClient, errorSummary, MONDAY, single, text } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import type { ThirdParty } from '../../testing/third-party.ts'

let tested: TestBank
const at = (bic: string) => bankTestClient(() => tested, bic)
beforeAll(async () => {
  tested = await startTestBank()
  await at('FJORNO22').tpp.control('POST', '/clock', { now: MONDAY })
})
afterAll(() => tested.close())

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
