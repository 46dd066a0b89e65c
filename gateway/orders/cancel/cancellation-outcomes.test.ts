/** Tests cancellations whose outcome only the order shows: the bank reports no more than the end of an authorisation, or has forgotten the order. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { loggedInAtBank } from '../../testing/browser/bank-user.ts'
import { type Answer, sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const SEB = nordicBank('VASASESS')
const [userId] = SEB.users
const FJORD = nordicBank('FJORNO22')

let gateway: TestGateway
let approver: ApprovalDriver
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
  headers = await validHeaders(gateway, (await approver.payer.consentOf(FJORD)).consentId)
})
afterAll(() => gateway.close())

const advance = (by: string) => passTime(gateway, by)

/** A signed payment whose cancellation its user has decided on at the bank, and the user's waiting page. */
async function decided(decision: 'approve' | 'reject' | 'cancel' | 'nothing') {
  const day = gateway.context.clock.today('Europe/Stockholm').add({ days: 5 })
  const [paymentId = ''] = await approver.order(SEB, 1, { dueDate: nextBankDay(['SE'], day).toString() })
  await approver.payer.sign(SEB, paymentId)
  const consent = await approver.payer.consentOf(SEB)
  const { id, sca } = await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
  const { browser, address } = await loggedInAtBank(sca?.type === 'redirect' ? sca.url : '', userId)
  const back = decision === 'nothing' ? address : await browser.post(address, { decision })
  const read = async () => await gateway.client.getPaymentCancellation({ ...consent, params: { id } })
  return { paymentId, page: await browser.follow(back), browser, read }
}

/** The time within which an order shows its cancellation has passed. */
async function letShow(): Promise<void> {
  await gateway.context.database.pool.query(
    "update sca_steps set ended_at = ended_at - interval '10 seconds' where state = 'open'",
  )
}

describe('at a bank that reports only the end of an authorisation', () => {
  it.each(['reject', 'cancel'] as const)('a request whose user decided to %s ends within seconds', async (decision) => {
    const { browser, page, paymentId, read } = await decided(decision)
    expect(page.origin).toBe(new URL(gateway.url).origin)
    await advance('PT6S')
    expect(await read()).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED' })
    await letShow()
    await advance('PT4S')
    expect(await read()).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPaymentStatus: { status: 'InProgress' },
      reason: expect.stringMatching(/before the cancellation was signed/),
    })
    expect((await browser.follow(page.href)).href).toBe(`${CALLBACK}?status=cancelled`)
    expect(await approver.statuses([paymentId])).toEqual(['InProgress'])
  })

  it('a request whose user lets the time pass ends although the bank denies reading it, and another may be made', async () => {
    const { paymentId, read } = await decided('nothing')
    for (const operation of ['getPaymentCancellationScaStatus', 'getPaymentStatus']) {
      await approver.control.postControl('/faults', { bank: SEB.bic, operation, effect: 'status', status: 403 })
    }
    await advance('PT11M')
    expect(await read()).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
    await approver.control.clearFaults()
    const consent = await approver.payer.consentOf(SEB)
    const again = await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
    expect(again.cancellationRequestStatus).toBe('AUTHORIZATION_REQUIRED')
  })

  it('a request that was signed counts as soon as the order shows it', async () => {
    const { page, read } = await decided('approve')
    expect(page.href).toBe(`${CALLBACK}?status=success`)
    expect(await read()).toMatchObject({ cancellationRequestStatus: 'ACCEPTED' })
  })

  it('a request whose order shows the cancellation a little later was accepted', async () => {
    const { paymentId, read } = await decided('reject')
    const [bankId] = await approver.bankIds([paymentId])
    await advance('PT6S')
    await approver.control.postControl(`/payments/${bankId}/cancel`)
    await letShow()
    await advance('PT4S')
    expect(await read()).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPaymentStatus: { status: 'Cancelled' },
    })
  })
})

async function unsigned(): Promise<string> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  return (await approver.payer.order(FJORD, { dueDate: nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString() }))
    .paymentId
}

const cancel = (paymentId: string): Promise<Answer> =>
  sendRawRequest(gateway, ['POST', '/api/v2/payments/cancel'], { headers, body: { paymentId, callbackUrl: CALLBACK } })
const approve = (paymentId: string): Promise<Answer> =>
  sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], {
    headers,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
const forget = (operation: string) => approver.control.injectFault({ operation, effect: 'status', status: 404 })

const WITHDRAWN = {
  status: 422,
  body: [{ path: '.payments[0]', reason: expect.stringMatching(/cancelled/) }],
}

describe('at a bank that no longer knows an order', () => {
  afterEach(() => approver.control.clearFaults())

  it('a cancelled payment is not resubmitted, and is Cancelled once the bank has not known it for minutes', async () => {
    const paymentId = await unsigned()
    const orders = (await approver.control.payments()).length
    await forget('getPaymentStatus')
    expect(await cancel(paymentId)).toMatchObject({
      body: { cancellationRequestStatus: 'ACCEPTED', currentPaymentStatus: { status: 'Unsigned' } },
    })
    expect(await approve(paymentId)).toMatchObject(WITHDRAWN)
    await passTime(gateway, 'PT15M')
    expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
    expect(await approve(paymentId)).toMatchObject({ status: 422 })
    expect((await approver.control.payments()).length).toBe(orders)
  })

  it('the status of a bank that shows the order again after the accepted cancellation counts', async () => {
    const paymentId = await unsigned()
    await forget('getPaymentStatus')
    await cancel(paymentId)
    await approver.control.clearFaults()
    await passTime(gateway, 'PT1M')
    expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  })

  it('a lost answer counts as accepted when the bank, called again, does not know the order', async () => {
    const paymentId = await unsigned()
    await forget('getPaymentStatus')
    await approver.control.injectFault({ operation: 'cancelPayment', effect: 'drop-request', times: 1 })
    expect(await cancel(paymentId)).toMatchObject({ status: 503 })
    await forget('cancelPayment')
    expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'ACCEPTED' } })
    expect(await approve(paymentId)).toMatchObject(WITHDRAWN)
  })

  it('a bank that does not know the order at the first request has not cancelled it', async () => {
    const paymentId = await unsigned()
    await forget('cancelPayment')
    expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'REJECTED' } })
  })
})

it('an order that an approval resubmits while its cancellation is being stored is not cancelled under its former id', async () => {
  const paymentId = await unsigned()
  const { pool } = gateway.context.database
  await pool.query(`create function resubmit() returns trigger language plpgsql as $$ begin
    update payments set bank_payment_id = 'resubmitted' where id = new.payment_id; return new; end $$`)
  await pool.query('create trigger resubmitted after insert on cancellations for each row execute function resubmit()')
  try {
    const message = 'The payment changed during the request. Try again'
    expect(await cancel(paymentId)).toMatchObject({ status: 409, body: { message } })
  } finally {
    await pool.query('drop function resubmit cascade')
  }
  const { rows } = await pool.query('select status from cancellations where payment_id = $1', [paymentId])
  expect(rows).toEqual([])
})
