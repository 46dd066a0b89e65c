/** Tests what is specific to single banks in Denmark: what their profiles accept, reject and report. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankTestClient, errorSummary, MONDAY, NO_MESSAGE, single } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'

let tested: TestBank
const at = (bic: string) => bankTestClient(() => tested, bic)
beforeAll(async () => {
  tested = await startTestBank()
  await at('FJORNO22').tpp.control('POST', '/clock', { now: MONDAY })
})
afterAll(() => tested.close())

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
