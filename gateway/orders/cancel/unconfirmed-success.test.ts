/** Tests that a success of a bank does not count while its SCA status contradicts it, whatever is signed. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

type AtBank = { readonly id: string; readonly back: string | null; readonly hint: string | null }

/** The newest authorisation: its return URL after a success, and its notification URL. */
async function latest(): Promise<AtBank> {
  const { rows } = await gateway.context.database.pool.query<AtBank>(
    `select id, redirect_uri as back,
       (select notification_uri from sandbox_bank.payments order by id desc limit 1) as hint
     from sandbox_bank.authorisations order by position desc limit 1`,
  )
  const [row] = rows
  if (row === undefined) {
    throw new Error('No authorisation exists at the bank')
  }
  return row
}

/** What is started, and its status for the partner. */
type Begun = { readonly url: string; readonly standing: () => Promise<string> }

async function approval(bank: NordicBank, count: number): Promise<Begun> {
  const { id, url } = await approver.approve(bank, await approver.order(bank, count))
  return { url, standing: async () => (await approver.read(bank, id)).status }
}

async function cancellation(bank: NordicBank): Promise<Begun> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
  const [paymentId = ''] = await approver.order(bank, 1, { dueDate })
  await approver.payer.sign(bank, paymentId)
  const consent = await approver.payer.consentOf(bank)
  const body = { paymentId, callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.cancelPayment({ ...consent, body })
  const params = { id }
  return {
    url: sca?.type === 'redirect' ? sca.url : '',
    standing: async () =>
      (await gateway.client.getPaymentCancellation({ ...consent, params })).cancellationRequestStatus,
  }
}

it.each([
  ['a basket', 'STARTED', () => approval(nordicBank('VSKYNO22'), 3)],
  ['a cancellation', 'AUTHORIZATION_REQUIRED', () => cancellation(nordicBank('FJORNO22'))],
  ['what is signed in the bank’s app', 'STARTED', () => approval(nordicBank('KATTDK22'), 1)],
] as const)('%s', async (_what, open, begin) => {
  const { url, standing } = await begin()
  const browser = openBrowser()
  await browser.get(url)
  await browser.post(url, {})
  const { id, back, hint } = await latest()
  const claim = async () => {
    if (back !== null) {
      await browser.follow(`${back}?scaStatus=finalised&status=success`)
    }
    if (hint !== null) {
      const headers = { 'content-type': 'application/json' }
      await fetch(hint, { method: 'POST', headers, body: '{"transactionStatus":"ACSC","scaStatus":"finalised"}' })
    }
    await gateway.sweep()
    return await standing()
  }
  expect(back ?? hint).not.toBeNull()
  expect(await claim()).toBe(open)
  await approver.control.postControl(`/authorisations/${id}/reject`)
  await passTime(gateway, 'PT10S')
  expect(await claim()).toBe('REJECTED')
})
