/** Tests the consent operations of XS2A. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  consentRequest,
  INGRID,
  KARI,
  MAIN_ACCOUNT,
  OLA,
  SUPPLIER_ACCOUNT,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

const ask = (changes = {}, headers = {}) =>
  tpp.send('POST', '/consents', { body: consentRequest(changes), headers: { ...userHeaders, ...headers } })
const message = (code: string, path: string) => ({ tppMessages: [expect.objectContaining({ code, path })] })
const statusOf = async (id: string) => (await tpp.send('GET', `/consents/${id}/status`)).text('consentStatus')

describe('createConsent', () => {
  test('stores a request until the user signs', async () => {
    const made = await ask()
    expect(made.status).toBe(201)
    const self = `${tested.bank.xs2aUrl}/fjordbanken/v1/consents/${made.text('consentId')}`
    expect(made.body).toMatchObject({
      consentStatus: 'received',
      _links: { startAuthorisation: { href: `${self}/authorisations` }, self: { href: self } },
    })
    expect(made.headers.get('location')).toBe(self)
  })

  test('starts the authorisation at once unless the third party starts it explicitly', async () => {
    const made = await ask({}, { 'TPP-Explicit-Authorisation-Preferred': 'false' })
    expect(made.text('_links.scaRedirect.href')).toMatch('/sca/')
  })

  test('is valid no longer than the bank permits', async () => {
    const made = await ask()
    const { body } = await tpp.send('GET', `/consents/${made.text('consentId')}`)
    const last = FIRST_DAY.add({ days: 180 })
    expect(body).toMatchObject({
      validUntil: last.toString(),
      consentStatus: 'received',
      recurringIndicator: true,
      frequencyPerDay: 4,
      access: { accounts: [], balances: [], transactions: [] },
    })
  })

  test.each([
    ['access', { access: undefined }],
    ['access', { access: {} }],
    ['access', { access: { accounts: [], balances: [{ bban: MAIN_ACCOUNT }] } }],
    ['frequencyPerDay', { frequencyPerDay: 0 }],
    ['frequencyPerDay', { frequencyPerDay: 9_999_999_999 }],
    ['frequencyPerDay', { recurringIndicator: false }],
    ['recurringIndicator', { recurringIndicator: 'yes' }],
    ['validUntil', { validUntil: '2001-01-01' }],
    ['validUntil', { validUntil: 'tomorrow' }],
    ['access', { access: { allPsd2: 'allAccounts', accounts: [{ bban: MAIN_ACCOUNT }] } }],
  ])('rejects a malformed request and names %s', async (path, changes) => {
    const rejected = await ask(changes)
    expect([rejected.status, rejected.body]).toEqual([400, message('FORMAT_ERROR', path)])
  })

  test('rejects accounts that are not the user’s', async () => {
    const rejected = await ask({ access: { balances: [{ bban: MAIN_ACCOUNT }, { bban: SUPPLIER_ACCOUNT }] } })
    expect([rejected.status, rejected.body]).toEqual([400, message('RESOURCE_UNKNOWN', 'access.balances.1')])
    const inEuros = await ask({ access: { balances: [{ bban: MAIN_ACCOUNT, currency: 'EUR' }] } })
    expect(inEuros.body).toEqual(message('RESOURCE_UNKNOWN', 'access.balances.0'))
  })

  test('rejects a session with payments', async () => {
    const rejected = await ask({ combinedServiceIndicator: true })
    expect(rejected.body).toEqual(message('SESSIONS_NOT_SUPPORTED', 'combinedServiceIndicator'))
  })

  test('rejects an unknown user, one who does not act for the company, and a missing one', async () => {
    expect((await ask({}, { 'PSU-ID': '1' })).body).toEqual(message('PSU_CREDENTIALS_INVALID', 'PSU-ID'))
    const other = await ask({}, { 'PSU-ID': OLA, 'PSU-Corporate-ID': '987654333' })
    expect([other.status, other.body]).toEqual([401, message('CORPORATE_ID_INVALID', 'PSU-Corporate-ID')])
    expect((await ask({}, { 'PSU-ID': '' })).body).toEqual(message('FORMAT_ERROR', 'PSU-ID'))
    expect((await ask({}, { 'PSU-IP-Address': '' })).body).toEqual(message('FORMAT_ERROR', 'PSU-IP-Address'))
  })
})

describe('a signed consent', () => {
  test('is valid and lists the accounts that the bank offered', async () => {
    const id = await tpp.consent({}, { 'PSU-ID': OLA })
    const { body } = await tpp.send('GET', `/consents/${id}`)
    const inKroner = [MAIN_ACCOUNT, '80501100025', '80501100033', '80501100041', '80501100068']
    const own = [...inKroner.map((bban) => [bban, 'NOK']), ['80501100076', 'EUR'], ['80501100084', 'USD']]
    const all = own.map(([bban, currency]) => ({ bban, iban: expect.stringMatching(/^NO\d{13}$/), currency }))
    expect(body).toMatchObject({
      consentStatus: 'valid',
      access: { accounts: all, balances: all, transactions: all },
    })
  })

  test('gives the access that it was requested for', async () => {
    const id = await tpp.consent({ access: { accounts: [], balances: [] } }, { 'PSU-ID': OLA })
    const list = { accounts: expect.any(Array), balances: expect.any(Array) }
    expect((await tpp.send('GET', `/consents/${id}`)).body).toMatchObject({ access: list })
    const headers = { 'Consent-ID': id, 'PSU-IP-Address': '192.0.2.7' }
    const account = (await tpp.send('GET', '/accounts', { headers })).text('accounts.0.resourceId')
    expect((await tpp.send('GET', `/accounts/${account}/balances`, { headers })).status).toBe(200)
    const query = 'bookingStatus=booked&dateFrom=2026-11-01'
    const rejected = await tpp.send('GET', `/accounts/${account}/transactions?${query}`, { headers })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([401, 'CONSENT_INVALID'])
  })

  test('ends the older recurring one of the same user and company, and no other', async () => {
    const ofOther = await tpp.consent({}, { 'PSU-ID': INGRID })
    const oneOff = await tpp.consent({ recurringIndicator: false, frequencyPerDay: 1 })
    const older = await tpp.consent()
    expect(await statusOf(older)).toBe('valid')
    const unsigned = await ask()
    expect(await statusOf(older)).toBe('valid')
    const newer = await tpp.consent()
    expect(await statusOf(older)).toBe('terminatedByTpp')
    expect(await statusOf(newer)).toBe('valid')
    expect(await statusOf(unsigned.text('consentId'))).toBe('received')
    expect([await statusOf(ofOther), await statusOf(oneOff)]).toEqual(['valid', 'valid'])
  })

  test('ends the others where several are signed at once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await ask()).text('consentId')))
    const started = await Promise.all(ids.map((id) => tpp.authorise(`/consents/${id}/authorisations`)))
    await Promise.all(started.map(({ id }) => tpp.control('POST', `/authorisations/${id}/sign`)))
    const statuses = await Promise.all(ids.map(statusOf))
    expect(statuses.toSorted()).toEqual([...Array(5).fill('terminatedByTpp'), 'valid'])
  })

  test('accepts no more authorisations', async () => {
    const id = await tpp.consent()
    const rejected = await tpp.send('POST', `/consents/${id}/authorisations`, { body: {}, headers: userHeaders })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([409, 'STATUS_INVALID'])
  })
})

describe('an unsigned consent', () => {
  test('is rejected when the user rejects it', async () => {
    const id = (await ask()).text('consentId')
    const path = `/consents/${id}/authorisations`
    const { id: authorisationId } = await tpp.authorise(path)
    const back = await tpp.control('POST', `/authorisations/${authorisationId}/reject`)
    expect(back.body).toEqual({ redirect: userHeaders['TPP-Nok-Redirect-URI'] })
    expect(await statusOf(id)).toBe('rejected')
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).body).toEqual({
      scaStatus: 'failed',
      psuMessage: 'The user rejected the request',
    })
  })

  test('stays open when the user leaves', async () => {
    const id = (await ask()).text('consentId')
    const path = `/consents/${id}/authorisations`
    const { id: authorisationId } = await tpp.authorise(path)
    await tpp.control('POST', `/authorisations/${authorisationId}/leave`)
    expect(await statusOf(id)).toBe('received')
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).text('psuMessage')).toMatch('cancelled')
    await tpp.sign(path)
    expect(await statusOf(id)).toBe('valid')
  })

  test('cannot be signed by another user', async () => {
    const id = (await ask({}, { 'PSU-ID': KARI })).text('consentId')
    const { id: authorisationId } = await tpp.authorise(`/consents/${id}/authorisations`)
    const rejected = await tpp.control('POST', `/authorisations/${authorisationId}/sign`, { userId: OLA })
    expect(rejected.status).toBe(403)
    expect(await statusOf(id)).toBe('received')
    const headers = { ...userHeaders, 'PSU-ID': OLA }
    const inconsistent = await tpp.send('POST', `/consents/${id}/authorisations`, { body: {}, headers })
    expect([inconsistent.status, inconsistent.body]).toEqual([400, message('PARAMETER_NOT_CONSISTENT', 'PSU-ID')])
  })
})

describe('deleteConsent', () => {
  test('ends a consent; repeating it changes nothing', async () => {
    const id = await tpp.consent()
    expect((await tpp.send('DELETE', `/consents/${id}`)).status).toBe(204)
    expect(await statusOf(id)).toBe('terminatedByTpp')
    expect((await tpp.send('DELETE', `/consents/${id}`)).status).toBe(204)
  })

  test.each(['GET', 'DELETE'])('%s returns no consent for an unknown id', async (method) => {
    const rejected = await tpp.send(method, `/consents/${newId()}`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([403, 'CONSENT_UNKNOWN'])
  })
})
