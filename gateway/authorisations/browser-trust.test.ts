/** Tests the binding to a browser: a consent counts for the browser that started it, or once its user confirms. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Browser, openBrowser } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, PSU } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let bank: SandboxBankControl
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
})
afterAll(() => gateway.close())

async function askedConsent() {
  const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
  return { id, url: sca.type === 'redirect' ? sca.url : '' }
}

/**
 * Signs at the bank in one browser after another one has left for it, and returns the URL to which the bank redirects.
 */
async function signedElsewhere(url: string, left: Browser = openBrowser()): Promise<{ back: string; other: Browser }> {
  const address = await left.post(url, {})
  const other = openBrowser()
  await other.get(address)
  await other.post(address, { userId: KARI })
  return { back: await other.post(address, { decision: 'approve' }), other }
}

async function statusOf(consentId: string): Promise<string> {
  const listed = await gateway.client.listConsents({})
  return listed.find(({ id }) => id === consentId)?.status ?? 'unknown'
}

async function statusAtBank(): Promise<string | undefined> {
  return (await bank.consents()).at(-1)?.consentStatus
}

async function statusCode(address: string, init: RequestInit = {}): Promise<number> {
  return (await fetch(address, { redirect: 'manual', ...init })).status
}

describe('a consent that returns in another browser than the one that started it', () => {
  it('waits for the confirmation of its user, and is accepted once they confirm', async () => {
    const { id, url } = await askedConsent()
    const { back, other } = await signedElsewhere(url)
    expect(await other.get(back)).toContain('Did you start this')
    await gateway.sweep()
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    const end = new URL(await other.post(`${back}/confirm`, {}))
    expect(end.href).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is rejected when they decline, and deleted at the bank', async () => {
    const { id, url } = await askedConsent()
    const { back, other } = await signedElsewhere(url)
    await other.get(back)
    expect(await other.post(`${back}/refuse`, {})).toBe(`${CALLBACK}?status=rejected`)
    expect(await statusOf(id)).toBe('REJECTED')
    await gateway.sweep()
    expect(await statusAtBank()).toBe('terminatedByTpp')
    expect(await other.post(`${back}/confirm`, {})).toBe(`${CALLBACK}?status=rejected`)
    expect(await statusOf(id)).toBe('REJECTED')
  })

  it('expires without a confirmation in time, and is deleted at the bank', async () => {
    const { id, url } = await askedConsent()
    const { back, other } = await signedElsewhere(url)
    await other.get(back)
    await passTime(gateway, 'PT16M')
    expect(await statusOf(id)).toBe('CANCELLED')
    expect(await statusAtBank()).toBe('terminatedByTpp')
    expect(await other.post(`${back}/confirm`, {})).toBe(`${CALLBACK}?status=cancelled`)
  })

  it('accepts no confirmation from another site, another browser, or the browser that started it', async () => {
    const { id, url } = await askedConsent()
    const attacker = openBrowser()
    const { back, other } = await signedElsewhere(url, attacker)
    await other.get(back)
    expect(await statusCode(`${back}/confirm`, { method: 'POST' })).toBe(410)
    const guessed = { cookie: `havn_signing=${'A'.repeat(43)}` }
    expect(await statusCode(`${back}/confirm`, { method: 'POST', headers: guessed })).toBe(410)
    await expect(attacker.post(`${back}/confirm`, {})).rejects.toThrow('410')
    expect(await statusCode(`${back}/refuse`, { method: 'POST' })).toBe(410)
    // The browser that started it opens the link again and continues.
    expect(await attacker.get(url)).toContain('Give access to accounts')
    await expect(attacker.post(url, {})).rejects.toThrow('503')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
  })
})

describe('a consent that the bank has signed', () => {
  it('waits for its browser when a sweep finds the signature first, and is accepted once the browser returns', async () => {
    const { id, url } = await askedConsent()
    const browser = openBrowser()
    const address = await browser.post(url, {})
    await browser.get(address)
    await browser.post(address, { userId: KARI })
    const back = await browser.post(address, { decision: 'approve' })
    await passTime(gateway, 'PT10S')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect((await browser.follow(back)).searchParams.get('status')).toBe('success')
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is cancelled, and deleted at the bank, when no browser returns', async () => {
    const { id, url } = await askedConsent()
    await signedElsewhere(url)
    await passTime(gateway, 'PT16M')
    expect(await statusOf(id)).toBe('CANCELLED')
    expect(await statusAtBank()).toBe('terminatedByTpp')
  })

  it('records how its browser was verified', async () => {
    const { url } = await askedConsent()
    const { back, other } = await signedElsewhere(url)
    await other.get(back)
    await other.post(`${back}/confirm`, {})
    await acceptedConsent(gateway)
    const { rows } = await gateway.context.database.pool.query<{ by: string; at: Temporal.Instant | null }>(
      'select trusted_by as by, trusted_at as at from sca_sessions order by id desc limit 2',
    )
    expect(rows.map(({ by }) => by)).toEqual(['return', 'confirmation'])
    expect(rows.every(({ at }) => at !== null)).toBe(true)
  })
})

it('an approval is recorded, whichever browser returns', async () => {
  const kari = await acceptedConsent(gateway)
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.approvePayments({ ...kari, body })
  const { back, other } = await signedElsewhere(sca?.type === 'redirect' ? sca.url : '')
  expect((await other.follow(back)).searchParams.get('status')).toBe('success')
  expect(await gateway.client.getPaymentApproval({ ...kari, params: { approvalId: id } })).toMatchObject({
    status: 'ACCEPTED',
  })
})

describe('a request that only previews the page', () => {
  it('uses nothing up, neither by HEAD nor by prefetching, at the link and at the callback', async () => {
    const { id, url } = await askedConsent()
    const { back, other } = await signedElsewhere(url)
    for (const address of [url, back]) {
      expect(await statusCode(address, { method: 'HEAD' })).toBe(200)
      expect(await statusCode(address, { headers: { 'sec-purpose': 'prefetch;prerender' } })).toBe(503)
      expect(await statusCode(address, { headers: { purpose: 'prefetch' } })).toBe(503)
    }
    const { rows } = await gateway.context.database.pool.query(
      'select 1 from sca_sessions where subject_id = $1 and (confirm_hash is not null or read_at is not null)',
      [id],
    )
    expect(rows).toEqual([])
    expect(await other.get(back)).toContain('Did you start this')
  })
})
