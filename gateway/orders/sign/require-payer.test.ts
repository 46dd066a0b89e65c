/** Tests who stops payments, payrolls, approvals and cancellations of others, and who reads them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NordicBank } from '../../testing/banks/nordic-banks.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { forEachRow } from '../../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { fromAccount } from '../../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK } from '../../testing/payments/sample-payments.ts'
import { signInNetbank } from '../../testing/payments/sign-in-netbank.ts'
import { openPayrollFixture, type PayrollFixture } from '../../testing/payrolls/payroll-fixture.ts'

/** Cancels signed payments without SCA, and does not check the user. */
const malar = nordicBank('MALBSESS')
/** Requires SCA for it. */
const fjord = nordicBank('FJORNO22')
const [, second, reader] = malar.users

let gateway: TestGateway
let approver: ApprovalDriver
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  stage = openPayrollFixture(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

const POSTS = { payments: '/api/v2/payments/cancel', payroll: '/api/v2/payroll/cancel' } as const

async function send(consentId: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const headers = await validHeaders(gateway, consentId)
  return await sendRawRequest(gateway, [method, path], { headers, ...(body && { body }) })
}

async function consentIdOf(userId: string, bank: NordicBank = malar): Promise<string> {
  return (await approver.payer.consentOf(bank, userId)).consentId
}

const companyAt = ({ bic, organizationNumber }: NordicBank) => ({ bic, organizationNumber })

async function cancel(consentId: string, paymentId: string) {
  return await send(consentId, 'POST', POSTS.payments, { paymentId, callbackUrl: CALLBACK })
}

async function signed(bank: NordicBank): Promise<string> {
  const [paymentId = ''] = await approver.order(bank, 1)
  await signInNetbank(gateway, paymentId)
  return paymentId
}

async function orderPayroll(): Promise<string> {
  const consent = await approver.payer.consentOf(malar)
  return (await gateway.client.initiatePayroll({ ...consent, body: stage.payroll(malar, 2) })).payrollId
}

const DENIED = { status: 400, body: { failure: 'ACCESS_DENIED' } }

describe('a user whom the bank lets only read the account', () => {
  it('stops nothing that others ordered, and the bank is not asked', async () => {
    const [unsigned = '', approved = '', ...withOthers] = await approver.order(malar, 3)
    const exempt = await approver.order(malar, 1, fromAccount(malar, malar.noSigning))
    const paid = await signed(malar)
    const cancellable = await signed(fjord)
    const [payrollId, approvedPayroll] = [await orderPayroll(), await orderPayroll()]
    await stage.submit()
    const approval = await approver.approve(malar, [approved])
    const consent = await approver.payer.consentOf(malar)
    const body = { payrollId: approvedPayroll, callbackUrl: CALLBACK }
    const payrollApproval = await gateway.client.approvePayrolls({ ...consent, body })
    const atFjord = await approver.payer.consentOf(fjord)
    const cancellation = await gateway.client.cancelPayment({
      ...atFjord,
      body: { paymentId: cancellable, callbackUrl: CALLBACK },
    })
    expect(cancellation.cancellationRequestStatus).toBe('AUTHORIZATION_REQUIRED')
    const here = await consentIdOf(reader)
    // Approving what needs no signature, or what a bank would not let this user sign, gives no right.
    await send(here, 'POST', '/api/v2/payments/approve', { payments: exempt, callbackUrl: CALLBACK })
    await send(here, 'POST', '/api/v2/payments/approve', { payments: withOthers, callbackUrl: CALLBACK })
    const rows = [
      ['POST', POSTS.payments, { paymentId: unsigned }],
      ['POST', POSTS.payments, { paymentId: paid }],
      ['POST', POSTS.payments, { paymentId: exempt[0] }],
      ['POST', POSTS.payments, { paymentId: approved }],
      ['POST', POSTS.payroll, { payrollId }],
      ['POST', POSTS.payroll, { payrollId: approvedPayroll }],
      ['DELETE', `/api/v2/payments/approve/${approval.id}`, undefined],
      ['DELETE', `/api/v2/payroll/approve/${payrollApproval.id}`, undefined],
    ] as const
    const before = await cancellationCalls()
    await forEachRow(
      rows,
      ([method, path, what]) => `${method} ${path} ${JSON.stringify(what)}`,
      async ([method, path, what]) =>
        expect(await send(here, method, path, what && { ...what, callbackUrl: CALLBACK })).toMatchObject(DENIED),
    )
    const there = await consentIdOf(fjord.users[2], fjord)
    expect(await cancel(there, cancellable)).toMatchObject(DENIED)
    expect(await send(there, 'DELETE', `/api/v2/payments/cancel/${cancellation.id}`)).toMatchObject(DENIED)
    expect(await cancellationCalls()).toBe(before)
    expect(await approver.statuses([unsigned, paid])).toEqual(['Unsigned', 'InProgress'])
    expect(await approver.read(malar, approval.id)).toMatchObject({ status: 'STARTED' })
    expect(await stage.counts(payrollId)).toEqual({ Unsigned: 2 })
  })

  async function cancellationCalls(): Promise<number> {
    const { values } = await gateway.context.metrics.bankCalls.get()
    return values
      .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.operation === 'cancelPayment')
      .reduce((sum, { value }) => sum + value, 0)
  }
})

describe('a user of the company who did not order the payment cancels it', () => {
  it('from the moment on at which the bank has accepted a payment or a signature of theirs from that account', async () => {
    const ids = await approver.order(malar, 3)
    const [first = '', next = '', last = ''] = ids
    const consentId = await consentIdOf(second)
    expect(await cancel(consentId, first)).toMatchObject(DENIED)
    await approver.payer.order(malar, fromAccount(malar, malar.noSigning), second)
    expect(await cancel(consentId, first)).toMatchObject(DENIED)
    const signs = await approver.approve(malar, [next], { userId: second })
    expect(await cancel(consentId, first)).toMatchObject(DENIED)
    expect(await signs.visit()).toBe('success')
    expect(await cancel(consentId, first)).toMatchObject({ status: 200 })
    expect(await cancel(consentId, next)).toMatchObject({ status: 200 })
    const renewed = await acceptedConsent(gateway, second, companyAt(malar))
    expect(await cancel(renewed.consentId, last)).toMatchObject({ status: 200 })
  })

  it('by an order of their own', async () => {
    const [paymentId = ''] = await approver.order(fjord, 1)
    const [, ola] = fjord.users
    expect(await cancel(await consentIdOf(ola, fjord), paymentId)).toMatchObject(DENIED)
    await approver.payer.order(fjord, {}, ola)
    expect(await cancel(await consentIdOf(ola, fjord), paymentId)).toMatchObject({ status: 200 })
  })

  it('not by one from an account in another currency that shares the number', async () => {
    const [, ola] = fjord.users
    const approval = await approver.approve(fjord, await approver.order(fjord, 1))
    await approver.payer.order(fjord, {}, ola)
    const consentId = await consentIdOf(ola, fjord)
    const moveTo = async (currency: string) =>
      await gateway.context.database.pool.query('update consent_accounts set currency = $2 where consent_id = $1', [
        consentId,
        currency,
      ])
    await moveTo('EUR')
    expect(await send(consentId, 'DELETE', `/api/v2/payments/approve/${approval.id}`)).toMatchObject(DENIED)
    await moveTo('NOK')
  })

  it('not where the bank names no users: then two consents are of two users', async () => {
    const ours = await approver.payer.consentOf(malar, second)
    const other = await acceptedConsent(gateway, reader, companyAt(malar))
    await gateway.context.database.pool.query(
      'update consents set user_id_sealed = null, user_id_masked = null where id = any($1)',
      [[ours.consentId, other.consentId]],
    )
    const [paymentId = ''] = await approver.order(malar, 1)
    expect(await cancel(other.consentId, paymentId)).toMatchObject(DENIED)
  })
})

it('approvals and cancellations are read with consents of their own bank and company only', async () => {
  const [paymentId = ''] = await approver.order(fjord, 1)
  const approval = await approver.approve(fjord, [paymentId])
  const consent = await approver.payer.consentOf(fjord)
  const body = { paymentId: await signed(fjord), callbackUrl: CALLBACK }
  const cancellation = await gateway.client.cancelPayment({ ...consent, body })
  const payrollId = await orderPayroll()
  await stage.submit()
  const atMalar = await approver.payer.consentOf(malar)
  const ofPayroll = { ...atMalar, body: { payrollId, callbackUrl: CALLBACK } }
  const payrollApproval = await gateway.client.approvePayrolls(ofPayroll)
  const payrollCancellation = await gateway.client.cancelPayroll(ofPayroll)
  const ofOtherCompany = await acceptedConsent(gateway, second, companyAt(malar))
  await gateway.context.database.pool.query("update consents set organisation_number = '5599901104' where id = $1", [
    ofOtherCompany.consentId,
  ])
  const rows = [
    [`/api/v2/payments/approve/${approval.id}`, atMalar.consentId],
    [`/api/v2/payments/cancel/${cancellation.id}`, atMalar.consentId],
    [`/api/v2/payroll/approve/${payrollApproval.id}`, consent.consentId],
    [`/api/v2/payroll/cancel/${payrollCancellation.id}`, consent.consentId],
    [`/api/v2/payroll/approve/${payrollApproval.id}`, ofOtherCompany.consentId],
    [`/api/v2/payroll/cancel/${payrollCancellation.id}`, ofOtherCompany.consentId],
  ] as const
  await forEachRow(
    rows,
    ([path]) => path,
    async ([path, strangers]) => {
      const rejected = await send(strangers, 'GET', path)
      expect(rejected).toMatchObject(DENIED)
      expect(JSON.stringify(rejected.body)).not.toContain('signing/')
    },
  )
})
