/** Tests when the signatures of a payment's users at its bank are known. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { findPaymentOf } from '../find-orders.ts'
import { refreshApprovalScaSessions } from './open-sca-sessions.ts'

const AURA = nordicBank('AURAFIHH')
/** Longer than a user may take, as if no sweep had run since. */
const OVER = { minutes: 11 }

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

async function atTheBank() {
  const [paymentId = ''] = await approver.order(AURA, 1)
  const { id, url } = await approver.approve(AURA, [paymentId])
  const browser = openBrowser()
  await browser.get(url)
  const address = await browser.post(url, {})
  const { rows } = await gateway.context.database.pool.query<{ partnerId: string }>(
    'select partner_id as "partnerId" from payments where id = $1',
    [paymentId],
  )
  const find = () => findPaymentOf(gateway.context, rows[0]?.partnerId ?? '', paymentId)
  return { id, browser, address, find }
}

it('finds a signature that was given at the bank after the approval was abandoned', async () => {
  const { id, browser, address, find } = await atTheBank()
  const params = { approvalId: id }
  await gateway.client.abandonPaymentApproval({ ...(await approver.payer.consentOf(AURA)), params })
  expect(await refreshApprovalScaSessions(gateway.context, await find())).toBe(true)
  expect(await find()).toMatchObject({ signed: false })
  await browser.post(address, { userId: AURA.users[0] })
  await browser.post(address, { decision: 'approve' })
  expect(await refreshApprovalScaSessions(gateway.context, await find())).toBe(true)
  expect(await find()).toMatchObject({ signed: true })
})

it('does not report an approval that only expired as unsigned while its user may sign at the bank', async () => {
  const { context } = gateway
  const { id, find } = await atTheBank()
  const payment = await find()
  expect(await refreshApprovalScaSessions(context, payment)).toBe(true)
  const later = { ...context, clock: { ...context.clock, now: () => context.clock.now().add(OVER) } }
  expect(await refreshApprovalScaSessions(later, payment)).toBe(false)
  expect(await approver.read(AURA, id)).toMatchObject({ status: 'CANCELLED' })
})
