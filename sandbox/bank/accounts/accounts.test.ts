/** Tests the account operations of XS2A. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  MAIN_ACCOUNT,
  OLA,
  PAYMENTS,
  PAYROLL_ACCOUNT,
  type ThirdParty,
  thirdPartyOf,
} from '../../testing/third-party.ts'
import { loadDemoFixture } from '../load-fixture.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  const fixture = loadDemoFixture()
  const banks = fixture.banks.map((bank) => ({ ...bank, transactionsPerPage: 3 }))
  tested = await startTestBank({ fixture: { ...fixture, banks } })
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

const present = { 'PSU-IP-Address': '192.0.2.7' }
const read = (consentId: string, path: string, headers = {}) =>
  tpp.send('GET', path, { headers: { ...present, 'Consent-ID': consentId, ...headers } })
const idOf = async (consentId: string, index = 0) =>
  (await read(consentId, '/accounts')).text(`accounts.${index}.resourceId`)
const daysAgo = (days: number) => FIRST_DAY.subtract({ days }).toString()

describe('getAccounts', () => {
  test('returns the accounts that the user may read, with owner and links, other companies’ too', async () => {
    const { body } = await read(await tpp.consent(), '/accounts')
    expect(body).toEqual({
      accounts: [
        expect.objectContaining({
          bban: MAIN_ACCOUNT,
          iban: expect.stringMatching(/^NO\d{13}$/),
          currency: 'NOK',
          ownerName: 'Nordlys Handel AS',
          name: 'Driftskonto',
          cashAccountType: 'CACC',
          status: 'enabled',
          bic: 'FJORNO22',
          usage: 'ORGA',
          _links: {
            balances: { href: expect.stringMatching('/balances$') },
            transactions: { href: expect.stringMatching('/transactions$') },
          },
        }),
        expect.objectContaining({ bban: PAYROLL_ACCOUNT, ownerName: 'Nordlys Handel AS' }),
        expect.objectContaining({ bban: '80501100033', name: 'Småbetalinger' }),
        expect.objectContaining({ bban: '80501100041', name: 'To underskrifter' }),
        expect.objectContaining({ bban: '80501100068', cashAccountType: 'TAXE' }),
        expect.objectContaining({ bban: '80501100076', currency: 'EUR' }),
        expect.objectContaining({ bban: '80501100084', currency: 'USD' }),
        expect.objectContaining({ bban: '80501100106', ownerName: 'Vestavind Eiendom AS' }),
      ],
    })
  })

  test('returns balances when requested, and an account id that differs from consent to consent', async () => {
    const first = await tpp.consent()
    const withBalance = await read(first, '/accounts?withBalance=true')
    expect(withBalance.body).toMatchObject({
      accounts: expect.arrayContaining([
        expect.objectContaining({
          bban: MAIN_ACCOUNT,
          balances: [
            expect.objectContaining({
              balanceType: 'interimBooked',
              balanceAmount: { currency: 'NOK', amount: '1000000.00' },
            }),
            expect.anything(),
          ],
        }),
      ]),
    })
    const before = await idOf(first)
    expect(await idOf(await tpp.consent())).not.toBe(before)
  })

  test('returns the listed accounts only when the consent lists them', async () => {
    const consentId = await tpp.consent({ access: { accounts: [{ bban: PAYROLL_ACCOUNT }] } })
    const { body } = await read(consentId, '/accounts?withBalance=true')
    expect(body).toMatchObject({ accounts: [{ bban: PAYROLL_ACCOUNT, _links: {} }] })
    expect(body).not.toHaveProperty('accounts.0.balances')
    const rejected = await read(consentId, `/accounts/${await idOf(consentId)}/balances`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([401, 'CONSENT_INVALID'])
  })

  test('returns everything of a consent to all accounts', async () => {
    const consentId = await tpp.consent({ access: { allPsd2: 'allAccounts' } }, { 'PSU-ID': OLA })
    expect((await read(consentId, '/accounts')).body).toMatchObject({
      accounts: Array.from({ length: 7 }, () => ({ _links: { balances: {} } })),
    })
  })

  test.each([
    ['none', '', 400, 'FORMAT_ERROR'],
    ['an unknown one', newId(), 400, 'CONSENT_UNKNOWN'],
  ])('rejects %s for a consent', async (_what, consentId, status, code) => {
    const rejected = await read(consentId, '/accounts')
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([status, code])
  })

  test('rejects a consent that has ended, and one that is not signed', async () => {
    const consentId = await tpp.consent()
    await tpp.send('DELETE', `/consents/${consentId}`)
    const rejected = await read(consentId, '/accounts')
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([401, 'CONSENT_INVALID'])
  })

  test('counts reads without the user against the agreed frequency, per account and kind', async () => {
    const consentId = await tpp.consent({ frequencyPerDay: 2 })
    const absent = { headers: { 'Consent-ID': consentId } }
    expect((await tpp.send('GET', '/accounts', absent)).status).toBe(200)
    expect((await tpp.send('GET', '/accounts', absent)).status).toBe(200)
    const rejected = await tpp.send('GET', '/accounts', absent)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([429, 'ACCESS_EXCEEDED'])
    const accountId = await idOf(consentId)
    expect((await tpp.send('GET', `/accounts/${accountId}/balances`, absent)).status).toBe(200)
  })
})

describe('getAccount, getBalances', () => {
  test('return one account', async () => {
    const consentId = await tpp.consent()
    const accountId = await idOf(consentId, 1)
    const one = await read(consentId, `/accounts/${accountId}?withBalance=true`)
    expect(one.body).toMatchObject({ account: { bban: PAYROLL_ACCOUNT, balances: [{}, {}] } })
    const { body } = await read(consentId, `/accounts/${accountId}/balances`)
    expect(body).toMatchObject({
      account: { bban: PAYROLL_ACCOUNT },
      balances: [
        { balanceType: 'interimBooked', balanceAmount: { amount: '25000.00', currency: 'NOK' } },
        { balanceType: 'interimAvailable', balanceAmount: { amount: '25000.00', currency: 'NOK' } },
      ],
    })
  })

  test('deduct the amounts of signed payments', async () => {
    const id = await tpp.pay({ debtorAccount: { bban: PAYROLL_ACCOUNT } })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    const consentId = await tpp.consent()
    const accountId = await idOf(consentId, 1)
    const { body } = await read(consentId, `/accounts/${accountId}/balances`)
    expect(body).toMatchObject({
      balances: [{ balanceAmount: { amount: '25000.00' } }, { balanceAmount: { amount: '23750.00' } }],
    })
    const from = `bookingStatus=pending&dateFrom=${daysAgo(1)}`
    expect((await read(consentId, `/accounts/${accountId}/transactions?${from}`)).body).toMatchObject({
      transactions: { pending: [{ transactionAmount: { amount: '-1250.00' }, creditorName: 'Granli Trelast AS' }] },
    })
  })

  test('return no account of another consent', async () => {
    const accountId = await idOf(await tpp.consent())
    const rejected = await read(await tpp.consent(), `/accounts/${accountId}`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([404, 'RESOURCE_UNKNOWN'])
  })
})

describe('getTransactions', () => {
  let consentId: string
  let accountId: string
  beforeAll(async () => {
    consentId = await tpp.consent()
    accountId = await idOf(consentId)
  })

  test('are returned newest first, page by page, each once', async () => {
    const amounts: string[] = []
    let path: string | undefined = `/accounts/${accountId}/transactions?bookingStatus=booked&dateFrom=${daysAgo(40)}`
    let pages = 0
    while (path !== undefined) {
      const page = await read(consentId, path)
      expect(page.status).toBe(200)
      amounts.push(...textsOf(page.body, 'amount'))
      path = nextOf(page.body)
      pages += 1
    }
    expect(pages).toBe(3)
    expect(amounts).toEqual(['8450.00', '-36400.00', '-2180.00', '129900.00', '-4312.50', '64200.00', '-18750.00'])
  })

  test('include both days of the period, KIDs and balances', async () => {
    const query = `bookingStatus=both&dateFrom=${daysAgo(9)}&dateTo=${daysAgo(9)}&withBalance=true`
    const { body } = await read(consentId, `/accounts/${accountId}/transactions?${query}`)
    expect(body).toMatchObject({
      account: { bban: MAIN_ACCOUNT },
      balances: [{}, {}],
      transactions: {
        pending: [],
        booked: [
          {
            bookingDate: daysAgo(9),
            transactionAmount: { amount: '-2180.00', currency: 'NOK' },
            creditorName: 'Solvik kommune',
            creditorAccount: { bban: '80503000028' },
            remittanceInformationStructuredArray: [{ reference: '01290865', referenceType: 'SCOR' }],
          },
        ],
      },
    })
  })

  test('have details of their own', async () => {
    const path = `/accounts/${accountId}/transactions`
    const list = await read(consentId, `${path}?bookingStatus=booked&dateFrom=${daysAgo(40)}`)
    const id = list.text('transactions.booked.0.transactionId')
    const details = await read(consentId, `${path}/${id}`)
    expect(details.body).toMatchObject({ transactionsDetails: { transactionId: id, debtorName: 'Kafé Kaia AS' } })
    const rejected = await read(consentId, `${path}/${newId()}`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([403, 'RESOURCE_UNKNOWN'])
  })

  test('are rejected for what the bank does not offer', async () => {
    for (const [code, query] of [
      ['FORMAT_ERROR', `dateFrom=${daysAgo(1)}`],
      ['FORMAT_ERROR', 'bookingStatus=booked'],
      ['FORMAT_ERROR', 'bookingStatus=booked&dateFrom=yesterday'],
      ['FORMAT_ERROR', `bookingStatus=booked&dateFrom=${daysAgo(1)}&page=2`],
      ['PERIOD_INVALID', `bookingStatus=booked&dateFrom=${daysAgo(1)}&dateTo=${daysAgo(2)}`],
      ['PERIOD_INVALID', 'bookingStatus=booked&dateFrom=2001-01-01'],
      ['PARAMETER_NOT_SUPPORTED', `bookingStatus=information&dateFrom=${daysAgo(1)}`],
      ['PARAMETER_NOT_SUPPORTED', 'bookingStatus=booked&deltaList=true'],
    ]) {
      const rejected = await read(consentId, `/accounts/${accountId}/transactions?${query}`)
      expect([rejected.status, rejected.text('tppMessages.0.code')], query).toEqual([400, code])
    }
  })
})

function textsOf(body: unknown, name: string): readonly string[] {
  const text = JSON.stringify(body, (key, value: unknown) => (key === 'balanceAfterTransaction' ? undefined : value))
  return [...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, value = '']) => value)
}

function nextOf(body: unknown): string | undefined {
  const [, next] = /"next":\{"href":"[^"]*\/v1([^"]+)"/.exec(JSON.stringify(body)) ?? []
  return next
}
