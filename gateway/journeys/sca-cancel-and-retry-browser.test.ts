/** Browser journeys that deviate from the normal course: declining, leaving, waiting, used and invalid links. */
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { visitBank } from '../testing/browser/bank-user.ts'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../testing/browser/browser-user.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../testing/browser/callback-receiver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let partner: CallbackReceiver
let browser: Browser
let caller: Awaited<ReturnType<typeof acceptedConsent>>
let visitor: BrowserUser
beforeAll(async () => {
  gateway = await startTestGateway()
  partner = await openCallbackReceiver()
  browser = await sharedChromium()
  caller = await acceptedConsent(gateway)
})
afterAll(async () => {
  await partner.close()
  await gateway.close()
})
beforeEach(async () => {
  visitor = await openBrowserUser(browser, { album: 'detours' })
})
afterEach(async () => {
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

// The conformance kit and the scripted users show what a user leads to who leaves without signing, at the bank or before.
test('"Reject" at the bank redirects the user back with status=rejected, and the payment can be signed again', async () => {
  const { link, approvalId, paymentId } = await startApproval()
  await goToDecision(link)
  expect(await visitor.page.getByRole('button', { name: 'Leave without signing' }).count()).toBe(1)
  await press('Reject')
  await arrival()
  expect(partner.lastStatus()).toBe('rejected')
  expect(await approvalStatus(approvalId)).toBe('REJECTED')
  expect((await gateway.client.getPaymentStatus({ params: { paymentId } })).status).toBe('Unsigned')
  const again = await startApproval(paymentId)
  expect((await visitBank(again.link)).searchParams.get('status')).toBe('success')
})

test('while the bank reports no outcome a page waits, and continues by itself once it does', async () => {
  const { link, approvalId } = await startApproval()
  const arrivals = partner.arrivals.length
  await goToDecision(link)
  await silenceBank()
  await press('Sign payment')
  await visitor.page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
  await visitor.look('waiting')
  expect(partner.arrivals).toHaveLength(arrivals)
  await endFaults()
  await arrival()
  expect(partner.lastStatus()).toBe('success')
  expect(await approvalStatus(approvalId)).toBe('ACCEPTED')
})

test('a user who does not wait is redirected with status=cancelled, and the approval has the real outcome later', async () => {
  const { link, approvalId } = await startApproval()
  await goToDecision(link)
  await silenceBank()
  await press('Sign payment')
  await visitor.page.getByRole('button', { name: 'Go back to Demo partner without waiting' }).click()
  await arrival()
  expect(partner.lastStatus()).toBe('cancelled')
  await endFaults()
  await gateway.client.moveSandboxClock({ body: { advance: 'PT10S' } })
  expect(await approvalStatus(approvalId)).toBe('ACCEPTED')
})

test('two payments are signed one after the other behind one link, and an outage of the bank in between loses neither', async () => {
  const first = await initiate()
  const second = await initiate()
  const { link, approvalId } = await approve([first, second])
  await visitor.page.goto(link)
  await visitor.look('two-payments')
  await goToDecision(link)
  await press('Sign payment')
  await visitor.page.getByRole('heading', { name: '1 of 2 signed' }).waitFor()
  await visitor.look('one-of-two')
  await strikeBank('startPaymentAuthorisation')
  await press('Continue to Fjordbanken')
  await visitor.page.getByRole('heading', { name: 'Fjordbanken cannot be reached' }).waitFor()
  expect(await visitor.page.locator('main').textContent()).toContain('What you have already signed counts')
  await visitor.look('unavailable')
  await endFaults()
  const unreadable = {
    operation: 'startPaymentAuthorisation',
    effect: 'malform',
    mode: 'null',
    fields: ['authorisationId'],
  }
  await tellBank('POST', { bank: 'FJORNO22', ...unreadable })
  await visitor.page.getByRole('link', { name: 'Try again' }).click()
  await press('Continue to Fjordbanken')
  await visitor.page.getByRole('heading', { name: 'Something went wrong at Fjordbanken' }).waitFor()
  await visitor.look('unusable-answer')
  await endFaults()
  await visitor.page.getByRole('link', { name: 'Try again' }).click()
  await press('Continue to Fjordbanken')
  await press('Continue')
  await press('Sign payment')
  await arrival()
  expect(partner.lastStatus()).toBe('success')
  expect(await approvalStatus(approvalId)).toBe('ACCEPTED')
})

test('a used link shows its user the outcome, and another browser nothing, whenever that opens it: a friendly page', async () => {
  const { link, approvalId } = await startApproval()
  const stranger = await openBrowserUser(browser, { album: 'detours' })
  await stranger.page.goto(link)
  await goToDecision(link)
  const linkAtBank = visitor.page.url()
  await stranger.page.getByRole('button', { name: 'Continue to Fjordbanken' }).click()
  await stranger.page.getByRole('heading', { name: 'This link has been used or has expired' }).waitFor()
  expect((await stranger.page.goto(link))?.status()).toBe(410)
  expect(await stranger.page.locator('main').textContent()).not.toContain('Granli')
  expect(await approvalStatus(approvalId)).toBe('STARTED')
  await press('Sign payment')
  await arrival()
  expect(partner.lastStatus()).toBe('success')
  await visitor.page.goto(link)
  await visitor.page.getByRole('heading', { name: 'Signed', exact: true }).waitFor()
  await visitor.look('result')
  expect(await visitor.page.locator('main').textContent()).not.toContain('Granli')
  expect((await stranger.page.goto(link))?.status()).toBe(410)
  await stranger.look('used')
  expect(stranger.complaints).toEqual([])
  await stranger.close()
  await visitor.page.goto(linkAtBank)
  await visitor.look('used-at-bank')
  expect(await visitor.page.getByRole('button').count()).toBe(0)
})

test('a truncated link says what to do', async () => {
  const { link } = await startApproval()
  const answer = await visitor.page.goto(link.slice(0, -3))
  expect(answer?.status()).toBe(404)
  await visitor.look('unknown')
})

async function startApproval(
  again?: string,
): Promise<{ readonly link: string; readonly approvalId: string; readonly paymentId: string }> {
  const paymentId = again ?? (await initiate())
  return { ...(await approve([paymentId])), paymentId }
}

async function initiate(): Promise<string> {
  return (await gateway.client.initiateDomesticPayment({ ...caller, body: domesticPayment(gateway) })).paymentId
}

async function approve(payments: string[]): Promise<{ readonly link: string; readonly approvalId: string }> {
  const body = { payments, callbackUrl: partner.url }
  const { id, sca } = await gateway.client.approvePayments({ ...caller, body })
  return { link: sca?.type === 'redirect' ? sca.url : '', approvalId: id }
}

async function goToDecision(link: string): Promise<void> {
  await visitor.page.goto(link)
  await press('Continue to Fjordbanken')
  await press('Continue')
  await visitor.page.getByRole('button', { name: 'Sign payment' }).waitFor()
}

async function press(name: string): Promise<void> {
  await visitor.page.getByRole('button', { name, exact: true }).click()
}

async function arrival(): Promise<void> {
  await visitor.page.getByRole('heading', { name: 'Back in the ERP' }).waitFor()
}

async function approvalStatus(approvalId: string): Promise<string> {
  return (await gateway.client.getPaymentApproval({ ...caller, params: { approvalId } })).status
}

/** The bank cannot report the state of authorisations. */
async function silenceBank(): Promise<void> {
  await strikeBank('getPaymentScaStatus')
}

async function strikeBank(operation: string): Promise<void> {
  await tellBank('POST', { bank: 'FJORNO22', operation, effect: 'status', status: 503 })
}

async function endFaults(): Promise<void> {
  await tellBank('DELETE')
}

async function tellBank(method: string, body?: object): Promise<void> {
  const answer = await fetch(`${gateway.bank.pagesUrl}/control/faults`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect(answer.ok).toBe(true)
}
