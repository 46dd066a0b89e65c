/** Tests older approvals that cannot be read at the bank: they do not block newer ones for ever. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'

const bank = nordicBank('FJORNO22')
const BUSY = { status: 400, failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' }

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

it.each([
  [403, 'blocks until it expires, and then is ended'],
  [503, 'blocks as long as the bank is unavailable'],
])('an older approval that the bank answers with %i %s', async (status) => {
  const ids = await approver.order(bank, 1)
  const { id, url } = await approver.approve(bank, ids)
  const browser = openBrowser()
  await browser.get(url)
  await browser.post(url, {})
  for (const operation of ['getPaymentScaStatus', 'getPaymentStatus']) {
    await approver.control.postControl('/faults', { bank: bank.bic, operation, effect: 'status', status })
  }
  await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
  await passTime(gateway, 'PT11M')
  if (status === 503) {
    await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
    return
  }
  const newer = await approver.approve(bank, ids)
  await approver.control.clearFaults()
  expect(await approver.read(bank, id)).toMatchObject({ status: 'CANCELLED' })
  expect(await newer.visit()).toBe('success')
})
