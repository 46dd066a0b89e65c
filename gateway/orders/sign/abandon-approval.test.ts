/** Tests abandoning an approval: its payments are free at once, and a signed payment is never reported as unsigned. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { loggedInAtBank, openBrowser, visitBank } from '../../testing/browser/bank-user.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import {
  type ApprovalDriver,
  openApprovalDriver,
  type StartedApproval,
} from '../../testing/payments/approval-driver.ts'
import { acceptedConsent, CALLBACK } from '../../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../../testing/payrolls/payroll-fixture.ts'

const fjord = nordicBank('FJORNO22')

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
beforeEach(async () => {
  await approver.control.clearFaults()
  await gateway.context.banks.resetFailures()
})
afterAll(() => gateway.close())

const atBank = (bank: NordicBank, { url }: StartedApproval) => loggedInAtBank(url, bank.users[0])

/** The request of a partner's operator, without a user. */
async function abandon(bank: NordicBank, id: string, userId?: string) {
  const { consentId } = await approver.payer.consentOf(bank, userId)
  const { 'psu-ip-address': _ip, 'psu-user-agent': _agent, ...headers } = await validHeaders(gateway, consentId)
  return await sendRawRequest(gateway, ['DELETE', `/api/v2/payments/approve/${id}`], { headers })
}

async function cancel(bank: NordicBank, paymentId: string) {
  const body = { paymentId, callbackUrl: CALLBACK }
  return await gateway.client.cancelPayment({ ...(await approver.payer.consentOf(bank)), body })
}

const CANCELLED = { status: 'CANCELLED', results: ['CANCELLED'] }

describe('a user who closed the tab at the bank', () => {
  it('opens the same link again in the same browser, which the partner can still read, and continues at the bank', async () => {
    const started = await approver.approve(fjord, await approver.order(fjord, 1))
    const { browser } = await atBank(fjord, started)
    expect((await approver.read(fjord, started.id)).sca).toEqual({ type: 'redirect', url: started.url })
    expect(await browser.get(started.url)).toContain(fjord.companyName)
    const address = await browser.post(started.url, {})
    await browser.get(address)
    const back = await browser.follow(await browser.post(address, { decision: 'approve' }))
    expect(back.searchParams.get('status')).toBe('success')
  })

  it('continues with the rest where one of two payments is signed', async () => {
    const started = await approver.approve(fjord, await approver.order(fjord, 2))
    const { browser, address } = await atBank(fjord, started)
    await browser.get(await browser.post(address, { decision: 'approve' }))
    expect(await browser.get(started.url)).toContain('1 of 2')
    const next = await browser.post(`${started.url}/next`, {})
    await browser.post(next, { userId: fjord.users[0] })
    const back = await browser.follow(await browser.post(next, { decision: 'approve' }))
    expect(back.searchParams.get('status')).toBe('success')
  })

  it('blocks other users, whose error says what to do', async () => {
    const ids = await approver.order(fjord, 1)
    const started = await approver.approve(fjord, ids)
    await atBank(fjord, started)
    const refused = {
      failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      message: expect.stringContaining(`DELETE /api/v2/payments/approve/${started.id}`),
    }
    await expect(approver.approve(fjord, ids)).rejects.toMatchObject(refused)
    await expect(cancel(fjord, ids[0] ?? '')).rejects.toMatchObject(refused)
  })
})

describe('after abandoning, approving again and cancelling work at once', () => {
  it.each([
    ['FJORNO22', 'a chain', 2],
    ['VSKYNO22', 'a basket', 2],
  ])('at %s, where the user was signing %s', async (bic, _what, count) => {
    const bank = nordicBank(bic)
    const ids = await approver.order(bank, count)
    const older = await approver.approve(bank, ids)
    await atBank(bank, older)
    expect((await abandon(bank, older.id)).status).toBe(204)
    expect((await approver.read(bank, older.id)).status).toBe('CANCELLED')
    const newer = await approver.approve(bank, ids)
    await atBank(bank, newer)
    expect((await abandon(bank, newer.id)).status).toBe(204)
    for (const id of ids) {
      expect(await cancel(bank, id)).toMatchObject({ cancellationRequestStatus: 'ACCEPTED' })
    }
  })

  it('where a code was scanned, and where the user was asked in the app', async () => {
    const bank = nordicBank('VASASESS')
    const ids = await approver.order(bank, 1)
    const older = await approver.approve(bank, ids, { preferredScaMethod: 'Qr' })
    const [scanned] = await approver.authorised(ids)
    await approver.control.postControl(`/authorisations/${scanned?.id}/scan`, { userId: bank.users[0] })
    expect((await abandon(bank, older.id)).status).toBe(204)
    const inApp = await approver.approve(bank, ids)
    await openBrowser().post(inApp.url, {})
    expect((await abandon(bank, inApp.id)).status).toBe(204)
    const newest = await approver.approve(bank, ids, { preferredScaMethod: 'Qr' })
    expect(newest.sca).toMatchObject({ type: 'qr' })
    expect(await approver.read(bank, older.id)).toEqual(CANCELLED)
  })

  it('for another user of the company, whose approval is not affected by the abandoned one', async () => {
    const ids = await approver.order(fjord, 1)
    const older = await approver.approve(fjord, ids)
    await atBank(fjord, older)
    const [, ola] = fjord.users
    await approver.payer.order(fjord, {}, ola)
    expect((await abandon(fjord, older.id, ola)).status).toBe(204)
    const newer = await approver.approve(fjord, ids, { userId: ola })
    expect((await visitBank(newer.url, { userId: ola })).searchParams.get('status')).toBe('success')
    expect(await approver.statuses(ids)).toEqual(['InProgress'])
  })
})

describe('a signed payment is not abandoned', () => {
  it('before the browser returns: 409 names it, each time', async () => {
    const [paymentId = ''] = await approver.order(fjord, 1)
    const started = await approver.approve(fjord, [paymentId])
    const { browser, address } = await atBank(fjord, started)
    await browser.post(address, { decision: 'approve' })
    for (const _time of ['first', 'repeated']) {
      const refused = await abandon(fjord, started.id)
      expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining(paymentId) } })
    }
    expect(await approver.read(fjord, started.id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED'] })
    expect(await approver.statuses([paymentId])).toEqual(['InProgress'])
  })

  it('in a chain, the unsigned rest is', async () => {
    const [signed = '', unsigned = ''] = await approver.order(fjord, 2)
    const started = await approver.approve(fjord, [signed, unsigned])
    const { browser, address } = await atBank(fjord, started)
    const back = await browser.post(address, { decision: 'approve' })
    await browser.get(back)
    await browser.get(await browser.post(`${back}/next`, {}))
    const { status, body } = await abandon(fjord, started.id)
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining(signed)])
    expect(JSON.stringify(body)).not.toContain(unsigned)
    expect(await approver.read(fjord, started.id)).toEqual({ status: 'CANCELLED', results: ['ACCEPTED', 'CANCELLED'] })
    expect(await (await approver.approve(fjord, [unsigned])).visit()).toBe('success')
  })

  it.each(['the browser returns', 'no browser returns'])(
    'although it was signed in the old tab after the 204: once %s, it is known',
    async (who) => {
      const ids = await approver.order(fjord, 1)
      const started = await approver.approve(fjord, ids)
      const { browser, address } = await atBank(fjord, started)
      expect((await abandon(fjord, started.id)).status).toBe(204)
      const back = await browser.post(address, { decision: 'approve' })
      if (who === 'the browser returns') {
        for (const _time of ['first', 'repeated']) {
          expect((await browser.follow(back)).searchParams.get('status')).toBe('success')
        }
      } else {
        await passTime(gateway, 'PT4S')
      }
      expect(await approver.statuses(ids)).not.toContain('Unsigned')
      expect(await approver.read(fjord, started.id)).toEqual(CANCELLED)
      expect((await abandon(fjord, started.id)).status).toBe(409)
    },
  )
})

describe('nothing is abandoned', () => {
  it('while the bank does not report whether it was signed: 503 says so, and the link still works', async () => {
    const ids = await approver.order(fjord, 1)
    const started = await approver.approve(fjord, ids)
    const { browser, address } = await atBank(fjord, started)
    await approver.control.injectFault({ operation: '*', effect: 'down' })
    const refused = await abandon(fjord, started.id)
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('not abandoned') } })
    expect(refused.body).not.toHaveProperty('paymentId')
    await approver.control.clearFaults()
    await gateway.context.banks.resetFailures()
    expect((await approver.read(fjord, started.id)).status).toBe('STARTED')
    const back = await browser.follow(await browser.post(address, { decision: 'approve' }))
    expect(back.searchParams.get('status')).toBe('success')
  })

  it('again once its order was resubmitted without an answer of the bank: 503 says so', async () => {
    const ids = await approver.order(fjord, 1)
    const started = await approver.approve(fjord, ids)
    await atBank(fjord, started)
    expect((await abandon(fjord, started.id)).status).toBe(204)
    await gateway.context.database.pool.query(
      `update payments set outcome = 'unknown', bank_payment_id = null where id = $1`,
      ids,
    )
    const refused = await abandon(fjord, started.id)
    expect(refused).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('has ended, but the bank') },
    })
  })

  it('for a caller without access to it', async () => {
    const { id } = await approver.approve(fjord, await approver.order(fjord, 1))
    const other = await gateway.otherPartner()
    const strangers = await acceptedConsent(other, fjord.users[2])
    const params = { approvalId: id }
    await expect(other.client.abandonPaymentApproval({ ...strangers, params })).rejects.toMatchObject({ status: 404 })
    expect(await abandon(nordicBank('VSKYNO22'), id)).toMatchObject({ status: 400, body: { failure: 'ACCESS_DENIED' } })
    const { consentId } = await approver.payer.consentOf(fjord)
    const headers = await validHeaders(gateway, consentId)
    expect((await sendRawRequest(gateway, ['DELETE', `/api/v2/payroll/approve/${id}`], { headers })).status).toBe(404)
    expect((await approver.read(fjord, id)).status).toBe('STARTED')
  })
})

it('abandoning an approval that ended unsigned changes nothing and says so each time', async () => {
  const ids = await approver.order(fjord, 1)
  const started = await approver.approve(fjord, ids)
  expect(await started.visit({ decision: 'reject' })).toBe('rejected')
  expect((await abandon(fjord, started.id)).status).toBe(204)
  expect((await abandon(fjord, started.id)).status).toBe(204)
  expect((await approver.read(fjord, started.id)).status).toBe('REJECTED')
})

it('an approval of a payroll is abandoned in the same way, at its own path', async () => {
  const bank = nordicBank(PAYROLL_BANKS.bulk)
  const stage = openPayrollFixture(gateway)
  const { payrollId } = await stage.order(bank, stage.payroll(bank, 2))
  const shown = await approver.payer.consentOf(bank)
  const approve = () => gateway.client.approvePayrolls({ ...shown, body: { payrollId, callbackUrl: CALLBACK } })
  const { id, sca } = await approve()
  const browser = openBrowser()
  await browser.get(await browser.post(sca?.url ?? '', {}))
  await expect(approve()).rejects.toMatchObject({
    message: expect.stringContaining(`DELETE /api/v2/payroll/approve/${id}`),
  })
  await gateway.client.abandonPayrollApproval({ ...shown, params: { approvalId: id } })
  expect(await approve()).toMatchObject({ status: 'STARTED' })
})
