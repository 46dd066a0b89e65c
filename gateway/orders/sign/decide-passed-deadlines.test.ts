/** Tests that no approval starts or goes on after the deadline for the signature of an exchange, worker and bank being away or not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { loggedInAtBank, openBrowser } from '../../testing/browser/bank-user.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { type ExchangeFixture, startExchangeFixture } from '../../testing/fx/exchange-fixture.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { crossBorderPayment, dollarSupplier } from '../../testing/payments/sample-cross-border-payments.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const fjord = nordicBank('FJORNO22')
const baskets = nordicBank('VSKYNO22')
const codes = nordicBank('VASASESS')
/** Longer than the deadline; gateway and bank keep running, and no job does. */
const AWAY_SECONDS = 400
/** Until a decision is tried again that the bank prevented. */
const RETRY_SECONDS = 30

let exchange: ExchangeFixture
let approver: ApprovalDriver
beforeAll(async () => {
  exchange = await startExchangeFixture()
  approver = openApprovalDriver(exchange.gateway)
})
beforeEach(async () => {
  await approver.control.clearFaults()
  await exchange.gateway.context.banks.resetFailures()
  // The bank and the provider get the time of the gateway.
  await exchange.pass('PT1S')
})
afterAll(() => exchange.close())

async function order(bank: NordicBank): Promise<string> {
  const { gateway } = exchange
  const from = { bban: bank.main, currency: bank.currency }
  const changes = { to: dollarSupplier, amount: { amount: '1000.00', currency: 'USD' } }
  const body = crossBorderPayment(gateway, bank, from, changes)
  return (await gateway.client.initiateCrossBorderPayment({ ...(await approver.payer.consentOf(bank)), body }))
    .paymentId
}

async function approveRaw(bank: NordicBank, payments: readonly string[]) {
  const { consentId } = await approver.payer.consentOf(bank)
  const headers = await validHeaders(exchange.gateway, consentId)
  const body = { payments, callbackUrl: CALLBACK }
  return await sendRawRequest(exchange.gateway, ['POST', '/api/v2/payments/approve'], { headers, body })
}

const away = () => exchange.gateway.passWallTime(AWAY_SECONDS)

const stateAtBank = async (paymentId: string) => {
  const [bankId] = await approver.bankIds([paymentId])
  const found = (await approver.control.payments()).find((one) => one.paymentId === bankId)
  return { status: found?.transactionStatus, authorisations: found?.authorisations.length }
}

const missed = (path: string) => ({
  status: 422,
  body: [{ code: 'InvalidRequest', path, reason: expect.stringMatching(/Cancelled, because .* before its deadline/) }],
})

async function expectCancelled(paymentId: string): Promise<void> {
  expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  expect(await exchange.dealOf(paymentId)).toMatch(/^cancel/)
}

describe('after the deadline, with the worker away', () => {
  it('an approval is rejected, and the payment is cancelled at bank and provider', async () => {
    const paymentId = await order(fjord)
    away()
    expect(await approveRaw(fjord, [paymentId])).toMatchObject(missed('.payments[0]'))
    await expectCancelled(paymentId)
    expect(await stateAtBank(paymentId)).toEqual({ status: 'CANC', authorisations: 0 })
    expect(await approveRaw(fjord, [paymentId])).toMatchObject(missed('.payments[0]'))
  })

  it('one of several payments is named, and the rest can be signed', async () => {
    const missedId = await order(fjord)
    const [other = ''] = await approver.order(fjord, 1)
    away()
    expect(await approveRaw(fjord, [other, missedId])).toMatchObject(missed('.payments[1]'))
    await expectCancelled(missedId)
    expect(await (await approver.approve(fjord, [other])).visit()).toBe('success')
  })

  it('a link that was not used is used up, and a new approval is rejected', async () => {
    const paymentId = await order(fjord)
    const { id, url } = await approver.approve(fjord, [paymentId])
    away()
    expect((await openBrowser().ask(url, {})).status).toBe(410)
    expect((await openBrowser().ask(url)).status).toBe(410)
    expect(await approver.read(fjord, id)).toEqual({ status: 'CANCELLED', results: ['CANCELLED'] })
    expect(await approveRaw(fjord, [paymentId])).toMatchObject(missed('.payments[0]'))
    await expectCancelled(paymentId)
  })

  it('a user who is at the bank cannot go on there', async () => {
    const paymentId = await order(fjord)
    const { id, url } = await approver.approve(fjord, [paymentId])
    const { browser, address } = await loggedInAtBank(url, fjord.users[0])
    away()
    expect(await (await browser.ask(url, {})).text()).toContain('Nothing was signed')
    expect(await approveRaw(fjord, [paymentId])).toMatchObject(missed('.payments[0]'))
    expect(await approver.read(fjord, id)).toEqual({ status: 'CANCELLED', results: ['CANCELLED'] })
    await expectCancelled(paymentId)
    await browser.ask(address, { decision: 'approve' })
    expect(await stateAtBank(paymentId)).toMatchObject({ status: 'CANC' })
  })

  it('a code is shown no more', async () => {
    const paymentId = await order(codes)
    const { id, sca } = await approver.approve(codes, [paymentId], { preferredScaMethod: 'Qr' })
    expect(sca?.type).toBe('qr')
    away()
    expect(await approver.read(codes, id)).toEqual({ status: 'CANCELLED', results: ['CANCELLED'] })
    expect(await approveRaw(codes, [paymentId])).toMatchObject(missed('.payments[0]'))
  })

  it('a signature that was given in time counts, though it is learned late', async () => {
    const [inBrowser, inNetbank] = [await order(fjord), await order(fjord)]
    const { url } = await approver.approve(fjord, [inBrowser])
    const { browser, address } = await loggedInAtBank(url, fjord.users[0])
    await browser.post(address, { decision: 'approve' })
    const [bankId = ''] = await approver.bankIds([inNetbank])
    await exchange.gateway.context.database.pool.query('update payments set poll_at = null where id = $1', [inNetbank])
    await approver.control.signInNetbank(bankId)
    away()
    for (const paymentId of [inBrowser, inNetbank]) {
      const reason = expect.stringMatching(/it is InProgress$/)
      expect(await approveRaw(fjord, [paymentId])).toMatchObject({ status: 422, body: [{ reason }] })
    }
    await exchange.gateway.sweep()
    for (const paymentId of [inBrowser, inNetbank]) {
      expect(await exchange.dealOf(paymentId)).toBe('confirmed')
    }
  })
})

describe('while the bank cannot be read after the deadline', () => {
  it('nothing is decided, and an approval is rejected as temporary and starts nothing', async () => {
    const paymentId = await order(fjord)
    away()
    await approver.control.injectFault({ operation: '*', effect: 'down' })
    const rejected = await approveRaw(fjord, [paymentId])
    expect(rejected).toMatchObject({ status: 400, body: { failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' } })
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await approver.statuses([paymentId])).toEqual(['Unsigned'])
    expect(await exchange.dealOf(paymentId)).toBe('booked')
    await approver.control.clearFaults()
    await exchange.gateway.context.banks.resetFailures()
    expect(await stateAtBank(paymentId)).toEqual({ status: 'RCVD', authorisations: 0 })
    exchange.gateway.passWallTime(RETRY_SECONDS)
    expect(await approveRaw(fjord, [paymentId])).toMatchObject(missed('.payments[0]'))
    await expectCancelled(paymentId)
  })
})

describe('at the deadline', () => {
  it.each([
    ['one by one', fjord, 1],
    ['together', baskets, 2],
  ])('the worker ends the approval of payments that are signed %s, and cancels them', async (_how, bank, count) => {
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) {
      ids.push(await order(bank))
    }
    const { id, url } = await approver.approve(bank, ids)
    // Stop by stop: a decision that the bank prevents at first is due again half a minute later.
    await exchange.gateway.client.moveSandboxClock({ body: { advance: 'PT5M10S' } })
    expect((await openBrowser().ask(url)).status).toBe(410)
    expect(await approver.read(bank, id)).toMatchObject({ status: 'CANCELLED' })
    for (const paymentId of ids) {
      await expectCancelled(paymentId)
    }
    const { rows } = await exchange.gateway.context.database.pool.query(
      'select kind from operator_tasks where subject_id = any($1)',
      [ids],
    )
    expect(rows).toEqual([])
  })
})
