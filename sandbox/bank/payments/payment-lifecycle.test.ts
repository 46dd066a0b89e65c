/** Tests how a payment changes over time, on a clock that the test moves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  MAIN_ACCOUNT,
  order,
  PAYMENTS,
  PAYROLL_ACCOUNT,
  SUPPLIER_ACCOUNT,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'

const OTHER_BANK_ACCOUNT = '86011117947'
/** A Monday at noon in Oslo, later than any day this runs on. */
const MONDAY_NOON = '2031-03-03T12:00:00+01:00'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())
beforeEach(async () => {
  await tpp.control('POST', '/reset')
  await clockTo(MONDAY_NOON)
})

const clockTo = (now: string) => tpp.control('POST', '/clock', { now: Temporal.Instant.from(now).toString() })
const statusOf = async (id: string) => (await tpp.send('GET', `${PAYMENTS}/${id}/status`)).body
const sign = (id: string) => tpp.sign(`${PAYMENTS}/${id}/authorisations`)
const balanceOf = async (bban: string) => {
  const { body } = await tpp.control('GET', '/accounts')
  return new RegExp(`"bban":"${bban}","currency":"NOK","balance":"([^"]+)"`).exec(JSON.stringify(body))?.[1]
}

describe('a signed payment', () => {
  test('due today is executed at once and booked soon, on both accounts', async () => {
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-03' })
    await sign(id)
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACSP' })
    await clockTo('2031-03-03T12:01:00+01:00')
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true })
    expect([await balanceOf(MAIN_ACCOUNT), await balanceOf(SUPPLIER_ACCOUNT)]).toEqual(['998750.00', '411250.00'])
  })

  test('due later waits, is executed on its day and is booked in the morning run', async () => {
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-05' })
    await sign(id)
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACTC' })
    await clockTo('2031-03-04T23:59:59+01:00')
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACTC' })
    await clockTo('2031-03-05T00:00:00+01:00')
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACSP' })
    await clockTo('2031-03-05T06:00:00+01:00')
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'ACSC' })
  })

  test('to another bank waits for Monday when due at a weekend; inside the bank it does not', async () => {
    const outside = await tpp.pay({
      requestedExecutionDate: '2031-03-08',
      creditorAccount: { bban: OTHER_BANK_ACCOUNT },
    })
    const inside = await tpp.pay({ requestedExecutionDate: '2031-03-08' })
    await sign(outside)
    await sign(inside)
    await clockTo('2031-03-08T06:00:00+01:00')
    expect(await statusOf(inside)).toMatchObject({ transactionStatus: 'ACSC' })
    expect(await statusOf(outside)).toEqual({ transactionStatus: 'ACTC' })
    await clockTo('2031-03-10T06:00:00+01:00')
    expect(await statusOf(outside)).toMatchObject({ transactionStatus: 'ACSC' })
  })

  test('to another bank of this fixture arrives there', async () => {
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-03', creditorAccount: { bban: '80511200028' } })
    await sign(id)
    await clockTo('2031-03-03T12:01:00+01:00')
    expect([await balanceOf(MAIN_ACCOUNT), await balanceOf('80511200028')]).toEqual(['998750.00', '411250.00'])
  })

  test('is booked at its time when the clock is moved far ahead, and entries are in that order', async () => {
    const later = await tpp.pay({ requestedExecutionDate: '2031-03-06', remittanceInformationUnstructured: 'B' })
    const sooner = await tpp.pay({ requestedExecutionDate: '2031-03-05', remittanceInformationUnstructured: 'A' })
    await sign(later)
    await sign(sooner)
    await clockTo('2031-06-01T12:00:00+02:00')
    const consentId = await tpp.consent()
    const headers = { 'Consent-ID': consentId, 'PSU-IP-Address': '192.0.2.7' }
    const accountId = (await tpp.send('GET', '/accounts', { headers })).text('accounts.0.resourceId')
    const path = `/accounts/${accountId}/transactions?bookingStatus=booked&dateFrom=2031-03-01`
    expect((await tpp.send('GET', path, { headers })).body).toMatchObject({
      transactions: {
        booked: [
          { bookingDate: '2031-03-06', remittanceInformationUnstructured: 'B' },
          { bookingDate: '2031-03-05', remittanceInformationUnstructured: 'A' },
        ],
      },
    })
  })
})

describe('a payment without funds', () => {
  const tooMuch = {
    debtorAccount: { bban: PAYROLL_ACCOUNT },
    instructedAmount: { currency: 'NOK', amount: '25000.01' },
  }

  test('waits, says so, and is rejected when the day is over', async () => {
    const id = await tpp.pay(tooMuch)
    await sign(id)
    await clockTo('2031-03-03T12:01:00+01:00')
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACSP', fundsAvailable: false })
    await clockTo('2031-03-04T00:00:00+01:00')
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'RJCT', psuMessage: expect.stringMatching('funds') })
    expect(await balanceOf(PAYROLL_ACCOUNT)).toBe('25000.00')
  })

  test('is booked once there are funds', async () => {
    const id = await tpp.pay(tooMuch)
    await sign(id)
    await clockTo('2031-03-03T12:01:00+01:00')
    const funding = await tpp.pay({ creditorAccount: { bban: PAYROLL_ACCOUNT } })
    await sign(funding)
    await clockTo('2031-03-03T12:02:00+01:00')
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'ACSC' })
    expect(await balanceOf(PAYROLL_ACCOUNT)).toBe('1249.99')
  })

  test('is booked once a payment is returned to the account', async () => {
    const paid = await tpp.pay({ ...tooMuch, instructedAmount: { currency: 'NOK', amount: '0.01' } })
    await sign(paid)
    await clockTo('2031-03-03T12:01:00+01:00')
    const id = await tpp.pay({ ...tooMuch, instructedAmount: { currency: 'NOK', amount: '25000.00' } })
    await sign(id)
    await clockTo('2031-03-03T12:02:00+01:00')
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACSP', fundsAvailable: false })
    await tpp.control('POST', `/payments/${paid}/status`, { transactionStatus: 'RJCT', reason: 'returned' })
    await clockTo('2031-03-03T12:02:01+01:00')
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'ACSC' })
  })

  test('is booked once entries are imported', async () => {
    const id = await tpp.pay(tooMuch)
    await sign(id)
    await clockTo('2031-03-03T12:01:00+01:00')
    const entries = [{ amount: '0.01', counterparty: 'Kafé Kaia AS', bookedOn: '2031-03-02' }]
    await tpp.control('POST', `/accounts/${PAYROLL_ACCOUNT}/entries/import`, { entries })
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'ACSC' })
  })

  test('is booked once the balance is set', async () => {
    const id = await tpp.pay(tooMuch)
    await sign(id)
    await clockTo('2031-03-03T12:01:00+01:00')
    await tpp.control('POST', `/accounts/${PAYROLL_ACCOUNT}/balance`, { amount: '30000.00' })
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'ACSC' })
  })
})

describe('an unsigned payment', () => {
  test('expires when its due day is over, and accepts no more authorisations', async () => {
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-03' })
    await clockTo('2031-03-03T23:59:59+01:00')
    expect(await statusOf(id)).toEqual({ transactionStatus: 'RCVD' })
    await clockTo('2031-03-04T00:00:00+01:00')
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'RJCT' })
    const rejected = await tpp.send('POST', `${PAYMENTS}/${id}/authorisations`, { body: {}, headers: userHeaders })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([403, 'RESOURCE_EXPIRED'])
  })
})

describe('an authorisation', () => {
  test('fails when its ten minutes are over, also while it is open in a browser', async () => {
    const id = await tpp.pay()
    const path = `${PAYMENTS}/${id}/authorisations`
    const { id: authorisationId, link } = await tpp.authorise(path)
    await fetch(link)
    await clockTo('2031-03-03T12:11:00+01:00')
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).body).toEqual({
      scaStatus: 'failed',
      psuMessage: 'The signing expired before the user finished it',
    })
    await sign(id)
    expect(await statusOf(id)).toEqual({ transactionStatus: 'ACSP' })
  })
})

describe('a date', () => {
  test.each(['2031-03-02', '2032-03-03'])('%s is rejected as past or too far ahead', async (requestedExecutionDate) => {
    const rejected = await tpp.send('POST', PAYMENTS, { body: order({ requestedExecutionDate }), headers: userHeaders })
    expect(rejected.body).toMatchObject({
      tppMessages: [{ code: 'EXECUTION_DATE_INVALID', path: 'requestedExecutionDate' }],
    })
  })
})

describe('a consent', () => {
  test('expires after its last day', async () => {
    const consentId = await tpp.consent({ validUntil: '2031-03-10' })
    await clockTo('2031-03-10T23:59:59+01:00')
    const headers = { 'Consent-ID': consentId }
    expect((await tpp.send('GET', '/accounts', { headers })).status).toBe(200)
    await clockTo('2031-03-11T00:00:00+01:00')
    const rejected = await tpp.send('GET', '/accounts', { headers })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([401, 'CONSENT_EXPIRED'])
  })

  test('counts unattended reads again each day', async () => {
    const consentId = await tpp.consent({ frequencyPerDay: 1 })
    const absent = { headers: { 'Consent-ID': consentId } }
    await tpp.send('GET', '/accounts', absent)
    expect((await tpp.send('GET', '/accounts', absent)).status).toBe(429)
    await clockTo('2031-03-04T00:00:00+01:00')
    expect((await tpp.send('GET', '/accounts', absent)).status).toBe(200)
  })
})
