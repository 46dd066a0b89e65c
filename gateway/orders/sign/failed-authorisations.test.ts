/** Tests that an order is polled at once when its authorisation failed or expired: its bank may have rejected it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { type Browser, openBrowser } from '../../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../testing/payments/sample-payments.ts'

const EXPIRED = { effect: 'status', status: 403, code: 'RESOURCE_EXPIRED' } as const

let gateway: TestGateway
let bank: SandboxBankControl
let kari: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  kari = await acceptedConsent(gateway)
})
beforeEach(() => bank.clearFaults())
afterAll(() => gateway.close())

async function unsigned(): Promise<string> {
  return (await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })).paymentId
}

async function approve(...payments: string[]) {
  const { id, sca } = await gateway.client.approvePayments({ ...kari, body: { payments, callbackUrl: CALLBACK } })
  return { id, url: sca?.type === 'redirect' ? sca.url : '' }
}

/** The user decides at the bank; returns the URL to which the bank redirects the browser. */
async function decideAtBank(browser: Browser, url: string, decision: string): Promise<string> {
  await browser.get(url)
  const page = await browser.post(url, {})
  await browser.get(page)
  await browser.post(page, { userId: KARI })
  return await browser.post(page, { decision })
}

async function rejectAtBank(): Promise<void> {
  const newest = (await bank.payments()).at(-1)?.paymentId
  await bank.postControl(`/payments/${newest}/status`, { transactionStatus: 'RJCT' })
}

/** As stored: the API would poll the bank. */
async function keptStatus(paymentId: string): Promise<unknown> {
  const { rows } = await gateway.context.database.pool.query('select status from payments where id = $1', [paymentId])
  return rows[0]?.status
}

describe('an order that its bank rejects', () => {
  it.each(['reject', 'cancel'])('is Rejected when the user returns after deciding to %s', async (decision) => {
    const payment = await unsigned()
    const { url } = await approve(payment)
    const browser = openBrowser()
    const back = await decideAtBank(browser, url, decision)
    await rejectAtBank()
    await browser.follow(back)
    expect(await keptStatus(payment)).toBe('Rejected')
  })

  it('and whose authorisation has expired there is Rejected when the user is back, and the approval is over', async () => {
    const payment = await unsigned()
    const { id, url } = await approve(payment)
    const browser = openBrowser()
    const back = await decideAtBank(browser, url, 'reject')
    await rejectAtBank()
    await bank.injectFault({ operation: 'getPaymentScaStatus', ...EXPIRED })
    await browser.follow(back)
    expect(await keptStatus(payment)).toBe('Rejected')
    const { status } = await gateway.client.getPaymentApproval({ ...kari, params: { approvalId: id } })
    expect(status).toBe('CANCELLED')
  })

  it('and takes no authorisation of any more is Rejected as soon as one is rejected', async () => {
    const payment = await unsigned()
    await rejectAtBank()
    await bank.injectFault({ operation: 'startPaymentAuthorisation', ...EXPIRED })
    await expect(approve(payment)).rejects.toMatchObject({ status: 409 })
    expect(await keptStatus(payment)).toBe('Rejected')
  })
})
