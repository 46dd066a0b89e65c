/** Tests cancellations at banks that report only the end of an authorisation: the order shows the outcome, soon. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { loggedInAtBank } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const SEB = nordicBank('VASASESS')
const [userId] = SEB.users

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

const advance = (by: string) => passTime(gateway, by)

/** A signed payment whose cancellation its user has decided on at the bank, and the user's waiting page. */
async function decided(decision: 'approve' | 'reject' | 'cancel') {
  const day = gateway.context.clock.today('Europe/Stockholm').add({ days: 5 })
  const [paymentId = ''] = await approver.order(SEB, 1, { dueDate: nextBankDay(['SE'], day).toString() })
  await approver.payer.sign(SEB, paymentId)
  const consent = await approver.payer.consentOf(SEB)
  const { id, sca } = await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
  const { browser, address } = await loggedInAtBank(sca?.type === 'redirect' ? sca.url : '', userId)
  const back = await browser.post(address, { decision })
  const read = async () => await gateway.client.getPaymentCancellation({ ...consent, params: { id } })
  return { paymentId, page: await browser.follow(back), browser, read }
}

/** The time within which an order shows its cancellation has passed. */
async function letShow(): Promise<void> {
  await gateway.context.database.pool.query(
    "update sca_steps set ended_at = ended_at - interval '10 seconds' where state = 'open'",
  )
}

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
