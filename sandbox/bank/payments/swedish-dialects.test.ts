/** Tests what is specific to single banks in Sweden: what their profiles accept, reject and report. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { bankTestClient, errorSummary, MONDAY, NO_MESSAGE, single } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'

let tested: TestBank
const at = (bic: string) => bankTestClient(() => tested, bic)
beforeAll(async () => {
  tested = await startTestBank()
  await at('FJORNO22').tpp.control('POST', '/clock', { now: MONDAY })
})
afterAll(() => tested.close())

describe('Mälarbanken', () => {
  const { tpp, place, bank } = at('MALBSESS')
  const bankgiro = (number: string, remittance: object) =>
    place({ creditorAccount: { bban: `BG ${number}` }, ...remittance })

  test('requires its header and query with every call, and the browser of a user', async () => {
    const url = `${tested.bank.xs2aUrl}/malarbanken/v1/consents/${newId()}`
    const bare = await fetch(`${url}?bic=MALBSESS`, { headers: { 'X-Request-ID': crypto.randomUUID() } })
    expect([bare.status, await bare.json()]).toMatchObject([400, { tppMessages: [{ path: 'app-id' }] }])
    const headers = { 'X-Request-ID': crypto.randomUUID(), 'app-id': 'x' }
    for (const query of ['', '?bic=VASASESS']) {
      const answer = await fetch(`${url}${query}`, { headers })
      expect([answer.status, await answer.json()]).toMatchObject([400, { tppMessages: [{ path: 'bic' }] }])
    }
    expect(errorSummary(await place({}, { 'PSU-User-Agent': '' }))).toEqual([400, 'FORMAT_ERROR', 'PSU-User-Agent'])
  })

  test.each([
    ['5990-0019', single('Faktura 7', 'MSG'), 201],
    ['5990-0019', single('1230', 'OCR'), 201],
    ['5990-0027', single('1231', 'OCR'), 201],
    ['5990-0035', single('1230', 'OCR'), 201],
    ['5990-0035', single('1231', 'OCR'), 401],
    ['5990-0035', single('Faktura 7', 'MSG'), 401],
    ['5990-0043', single('123456789023', 'OCR'), 201],
    ['5990-0043', single('12369', 'OCR'), 401],
    ['5990-0050', single('1230', 'OCR'), 401],
    ['5990-0050', single('12344', 'OCR'), 201],
    ['5990-0018', single('1230', 'OCR'), 400],
  ])('validates payments to Bankgiro %s by its creditor’s requirement: %o', async (number, remittance, status) => {
    const answer = await bankgiro(number, remittance)
    expect(answer.status).toBe(status)
    expect(status === 401 ? errorSummary(answer)[1] : 'KID_MISSING').toBe('KID_MISSING')
  })

  test('accepts longer messages inside the bank than to another one', async () => {
    const text = (length: number) => ({ remittanceInformationUnstructured: 'x'.repeat(length) })
    const other = { creditorAccount: { bban: '59902000010' } }
    const tooLong = [400, 'FORMAT_ERROR', 'remittanceInformationUnstructured']
    expect((await place(text(35))).status).toBe(201)
    expect(errorSummary(await place(text(36)))).toEqual(tooLong)
    expect((await place({ ...other, ...text(12) })).status).toBe(201)
    expect(errorSummary(await place({ ...other, ...text(13) }))).toEqual(tooLong)
  })

  test('accepts a text for the payer’s own statement', async () => {
    const own = (text: string) => place({ ...NO_MESSAGE, debtorAccountStatementText: text })
    expect((await own('Hyra mars')).status).toBe(201)
    expect(errorSummary(await own('\u20ac'))).toEqual([400, 'FORMAT_ERROR', 'debtorAccountStatementText'])
    expect(errorSummary(await own('x'.repeat(36)))).toEqual([400, 'FORMAT_ERROR', 'debtorAccountStatementText'])
  })

  test('rejects an equal order whatever the third party sends', async () => {
    const like = { instructedAmount: { currency: 'SEK', amount: '313.00' } }
    expect((await place(like)).status).toBe(201)
    const again = await place(like, {}, bank.payments)
    expect(errorSummary(again)).toEqual([400, 'PAYMENT_FAILED', undefined])
  })

  test('ends an authorisation after five minutes', async () => {
    const id = (await place({ instructedAmount: { currency: 'SEK', amount: '314.00' } })).text('paymentId')
    const started = await tpp.authorise(`${bank.payments}/${id}/authorisations`)
    const moved = Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now')).add({
      minutes: 5,
      seconds: 1,
    })
    await tpp.control('POST', '/clock', { now: moved.toString() })
    const { body } = await tpp.send('GET', `${bank.payments}/${id}/authorisations/${started.id}`)
    expect(body).toMatchObject({ scaStatus: 'failed' })
  })
})

describe('Vasabanken', () => {
  const { tpp, place, bank } = at('VASASESS')
  const ALIASES = '/payments/corporate-se-domestic-alias-credit-transfers'

  test('has a product for accounts and another for giro numbers', async () => {
    const giro = (bban: string, path: string) =>
      place({ creditorAccount: { bban }, ...single('1230') }, {}, path).then(({ status }) => status)
    expect(await giro('BG 5990-0035', ALIASES)).toBe(201)
    expect(await giro('PG 599001-5', ALIASES)).toBe(201)
    expect(await giro('BG 5990-0036', ALIASES)).toBe(400)
    expect(await giro('BG 5990-0035', bank.payments)).toBe(400)
  })

  test('requires the company’s number', async () => {
    expect(errorSummary(await place({}, { 'PSU-Corporate-ID': '' }))).toEqual([400, 'FORMAT_ERROR', 'PSU-Corporate-ID'])
  })

  test('has a status of its own while a user signs, and reports nothing of an authorisation that has ended', async () => {
    const id = (await place()).text('paymentId')
    const path = `${bank.payments}/${id}/authorisations`
    const { id: authorisationId } = await tpp.authorise(path)
    await tpp.control('POST', `/authorisations/${authorisationId}/open`)
    const during = await tpp.send('GET', `${path}/${authorisationId}`)
    expect(during.body).toEqual({ scaStatus: 'authenticationStarted' })
    await tpp.control('POST', `/authorisations/${authorisationId}/sign`, {})
    expect(errorSummary(await tpp.send('GET', `${path}/${authorisationId}`))).toEqual([400, 'SCA_INVALID', undefined])
    expect((await tpp.send('GET', `${bank.payments}/${id}/status`)).body).toMatchObject({ transactionStatus: 'ACSP' })
  })
})
