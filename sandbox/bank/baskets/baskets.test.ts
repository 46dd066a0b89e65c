/** Tests signing baskets: several payments, one authorisation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { bankTestDataOf, orderForBank } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf, type Reply, thirdPartyOf, userHeaders } from '../../testing/third-party.ts'

const BASKETS = '/signing-baskets'
const bank = bankTestDataOf('VSKYNO22')
const tpp = thirdPartyOf(() => tested.bank, bank)

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const headers = headersOf(bank)
const place = async (changes: object = {}) =>
  (await tpp.send('POST', bank.payments, { body: orderForBank(bank, { ...changes }), headers })).text('paymentId')
const make = (body: object) => tpp.send('POST', BASKETS, { body, headers })
const basketOf = async (...paymentIds: readonly string[]) => (await make({ paymentIds })).text('basketId')
const statusOf = async (path: string) => (await tpp.send('GET', `${path}/status`)).text('transactionStatus')
const codeOf = ({ status, body }: Reply) => [status, /"code":"(\w+)"/.exec(JSON.stringify(body))?.[1]]

describe('a basket', () => {
  test('contains payments and lists them', async () => {
    const ids = [await place(), await place()]
    const made = await make({ paymentIds: ids })
    expect([made.status, made.text('transactionStatus')]).toEqual([201, 'RCVD'])
    const path = `${BASKETS}/${made.text('basketId')}`
    expect(made.text('_links.startAuthorisation.href')).toMatch(`${path}/authorisations`)
    expect(made.headers.get('location')).toMatch(path)
    expect((await tpp.send('GET', path)).body).toEqual({ payments: ids, transactionStatus: 'RCVD' })
  })

  test('is signed once for everything in it', async () => {
    const ids = [await place(), await place()]
    const path = `${BASKETS}/${await basketOf(...ids)}`
    await tpp.sign(`${path}/authorisations`)
    expect(await statusOf(path)).toBe('ACTC')
    for (const id of ids) {
      expect(await statusOf(`${bank.payments}/${id}`)).toMatch(/^ACS[PC]$/)
    }
    const again = await tpp.send('POST', `${path}/authorisations`, { body: {}, headers })
    expect(codeOf(again)).toEqual([409, 'STATUS_INVALID'])
  })

  test('waits for a second signer where one of its payments does', async () => {
    const [one, two] = [await place(), await place({ debtorAccount: bank.account.twoSigners })]
    const path = `${BASKETS}/${await basketOf(one, two)}`
    await tpp.sign(`${path}/authorisations`)
    expect([await statusOf(path), await statusOf(`${bank.payments}/${two}`)]).toEqual(['PATC', 'PATC'])
    const again = await tpp.send('POST', `${path}/authorisations`, { body: {}, headers })
    expect(codeOf(again)).toEqual([409, 'STATUS_INVALID'])
    await tpp.sign(`${path}/authorisations`, bank.secondUser)
    expect(await statusOf(path)).toBe('ACTC')
    expect(await statusOf(`${bank.payments}/${two}`)).toMatch(/^ACS[PC]$/)
  })

  test('does not affect what was cancelled in the meantime', async () => {
    const [one, two] = [await place(), await place()]
    const path = `${BASKETS}/${await basketOf(one, two)}`
    await tpp.control('POST', `/payments/${one}/cancel`, {})
    await tpp.sign(`${path}/authorisations`)
    expect(await statusOf(`${bank.payments}/${one}`)).toBe('CANC')
    expect(await statusOf(`${bank.payments}/${two}`)).toMatch(/^ACS[PC]$/)
  })

  test('blocks signing its payments one by one until it is deleted', async () => {
    const id = await place()
    const path = `${BASKETS}/${await basketOf(id)}`
    const alone = () => tpp.send('POST', `${bank.payments}/${id}/authorisations`, { body: {}, headers })
    expect(codeOf(await alone())).toEqual([400, 'RESOURCE_BLOCKED'])
    expect(codeOf(await tpp.send('DELETE', `${bank.payments}/${id}`))).toEqual([400, 'RESOURCE_BLOCKED'])
    expect((await tpp.send('DELETE', path)).status).toBe(204)
    expect(codeOf(await tpp.send('GET', path))).toEqual([403, 'RESOURCE_UNKNOWN'])
    expect((await alone()).status).toBe(201)
  })

  test('can be deleted while a user only reads it, and not once it was signed', async () => {
    const id = await place()
    const looked = `${BASKETS}/${await basketOf(id)}`
    const { id: opened } = await tpp.authorise(`${looked}/authorisations`)
    await tpp.control('POST', `/authorisations/${opened}/open`)
    expect((await tpp.send('DELETE', looked)).status).toBe(204)
    const path = `${BASKETS}/${await basketOf(id)}`
    const { id: signed } = await tpp.authorise(`${path}/authorisations`)
    await tpp.control('POST', `/authorisations/${signed}/sign`, {})
    expect(codeOf(await tpp.send('DELETE', path))).toEqual([409, 'STATUS_INVALID'])
  })

  test('shows a user every payment before it is signed', async () => {
    const ids = [await place({ creditorName: 'First AS' }), await place({ creditorName: 'Second AS' })]
    const { id, link } = await tpp.authorise(`${BASKETS}/${await basketOf(...ids)}/authorisations`)
    await fetch(link, { method: 'POST', body: new URLSearchParams({ userId: bank.user }), redirect: 'manual' })
    const page = await (await fetch(link)).text()
    expect(page).toContain('First AS')
    expect(page).toContain('Second AS')
    await tpp.control('POST', `/authorisations/${id}/leave`, {})
  })
})

describe('a basket is rejected', () => {
  test.each([
    ['without payments', {}, 400, 'FORMAT_ERROR'],
    ['with no payment', { paymentIds: [] }, 400, 'FORMAT_ERROR'],
    ['with an invalid id', { paymentIds: ['x'] }, 400, 'RESOURCE_UNKNOWN'],
    ['with an unknown payment', { paymentIds: [newId()] }, 400, 'RESOURCE_UNKNOWN'],
    ['with consents', { paymentIds: [newId()], consentIds: [newId()] }, 400, 'PARAMETER_NOT_SUPPORTED'],
    ['with more payments than permitted', { paymentIds: Array.from({ length: 51 }, newId) }, 400, 'FORMAT_ERROR'],
  ])('%s', async (_what, body, status, code) => {
    expect(codeOf(await make(body))).toEqual([status, code])
  })

  test('with a payment twice, in another basket, or signed', async () => {
    const id = await place()
    expect(codeOf(await make({ paymentIds: [id, id] }))).toEqual([400, 'FORMAT_ERROR'])
    await basketOf(id)
    expect(codeOf(await make({ paymentIds: [id] }))).toEqual([409, 'REFERENCE_STATUS_INVALID'])
    const signed = await place()
    await tpp.sign(`${bank.payments}/${signed}/authorisations`)
    expect(codeOf(await make({ paymentIds: [signed] }))).toEqual([409, 'REFERENCE_STATUS_INVALID'])
  })

  test('by a bank without baskets, for any call', async () => {
    const fjordbanken = thirdPartyOf(() => tested.bank)
    const posted = await fjordbanken.send('POST', BASKETS, { body: { paymentIds: [newId()] }, headers: userHeaders })
    expect(codeOf(posted)).toEqual([405, 'SERVICE_INVALID'])
    expect(codeOf(await fjordbanken.send('GET', `${BASKETS}/${newId()}`))).toEqual([405, 'SERVICE_INVALID'])
  })
})
