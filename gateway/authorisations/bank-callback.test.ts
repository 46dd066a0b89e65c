/** Tests callbacks from the bank: each is submitted once, never trusted, and worthless when forged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type Browser, openBrowser } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'

const FINNISH = { bic: 'PAIJFIHH', organizationNumber: '9900110-9', userId: '10020030' }
const OAUTH = { bic: 'ELVANO22', organizationNumber: '987654325', userId: '01815012345' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** A consent that was signed at the bank, and the callback URL to which the bank redirects the browser that left. */
async function signedAt(who: typeof FINNISH): Promise<{ id: string; url: string; browser: Browser; back: URL }> {
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body: { ...who, callbackUrl: CALLBACK } })
  const url = sca.type === 'redirect' ? sca.url : ''
  return { id, url, ...(await signAt(url, who.userId)) }
}

async function signAt(url: string, userId: string): Promise<{ browser: Browser; back: URL }> {
  const browser = openBrowser()
  const address = await browser.post(url, {})
  const page = await browser.follow(address)
  await browser.get(page.href)
  await browser.post(page.href, { userId })
  return { browser, back: await cameOut(browser, await browser.post(page.href, { decision: 'approve' })) }
}

/** The URL to which the bank redirects at the end, not visited yet. */
async function cameOut(browser: Browser, address: string): Promise<URL> {
  if (address.startsWith(gateway.url)) {
    return new URL(address)
  }
  const { headers } = await browser.ask(address)
  return await cameOut(browser, new URL(headers.get('location') ?? '', address).href)
}

type Signed = { readonly browser: Browser; readonly back: URL; readonly isDone: () => Promise<boolean> }

/** What was signed by OAuth, with the callback URL of its browser. */
async function signedFor(kind: 'consent' | 'payment' | 'sign-in'): Promise<Signed> {
  if (kind === 'consent') {
    const { id, ...signed } = await signedAt(OAUTH)
    return { ...signed, isDone: async () => (await statusOf(id)) === 'ACCEPTED' }
  }
  const at = nordicBank(kind === 'payment' ? OAUTH.bic : 'NORDSESS')
  const { bic, organizationNumber, users } = at
  const [userId] = users
  if (kind === 'sign-in') {
    const body = { bic, organizationNumber, userId, callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
    const browser = openBrowser()
    const page = await browser.follow(await browser.post(sca.type === 'redirect' ? sca.url : '', {}))
    const back = new URL(await browser.post(page.href, { userId, decision: 'approve' }))
    const tokens = 'select 1 from bank_token_subjects where subject_id = $1'
    return {
      browser,
      back,
      isDone: async () => (await gateway.context.database.pool.query(tokens, [id])).rows.length === 1,
    }
  }
  const payer = openPaymentDriver(gateway)
  const { paymentId } = await payer.order(at)
  const consent = await payer.consentOf(at)
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.approvePayments({ ...consent, body })
  const { browser, back } = await signAt(sca?.type === 'redirect' ? sca.url : '', userId)
  const params = { approvalId: id }
  const isDone = async () => (await gateway.client.getPaymentApproval({ ...consent, params })).status === 'ACCEPTED'
  return { browser, back, isDone }
}

async function statusOf(consentId: string): Promise<string> {
  return (await gateway.client.getConsent({ consentId })).status
}

/** The same URL with other parameters. */
function withQuery(back: URL, query: Readonly<Record<string, string>>): string {
  const url = new URL(back)
  url.search = new URLSearchParams(query).toString()
  return url.href
}

/** The bank is polled at most twice a second, for all browsers together. */
async function pageAt(browser: Browser, address: string): Promise<string> {
  gateway.passWallTime(1)
  const { href } = await browser.follow(address)
  return href.startsWith(CALLBACK) ? href : 'still here'
}

/** A bank whose parts are not synchronous: one of them returns an outdated status. */
async function bankSays(now: string, then: string): Promise<void> {
  const { pool } = gateway.context.database
  const text = 'update sandbox_bank.authorisations set sca_status = $2 where sca_status = $1 and outcome is null'
  await pool.query(text, [now, then])
}

async function broughtCalls(operation: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('havn_bank_') && line.includes(`"${operation}"`))
  return lines.filter((line) => line.includes('_count')).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

describe('a confirmation code', () => {
  it('makes the signature count once the callback delivers it, and not before', async () => {
    const { id, browser, back } = await signedAt(FINNISH)
    expect(back.searchParams.get('confirmationCode')).toBeTruthy()
    await passTime(gateway, 'PT10S')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('changes nothing when it is forged, and the genuine code still counts', async () => {
    const { id, browser, back } = await signedAt(FINNISH)
    expect(await pageAt(browser, withQuery(back, { confirmationCode: 'forged' }))).toBe('still here')
    expect(await pageAt(browser, withQuery(back, { status: 'success', scaStatus: 'finalised' }))).toBe('still here')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
  })

  it('is sent to the bank once, however often the page is loaded', async () => {
    const { browser, back } = await signedAt(FINNISH)
    const before = await broughtCalls('confirmConsentAuthorisation')
    const forged = withQuery(back, { confirmationCode: 'again-and-again' })
    for (let load = 0; load < 3; load += 1) {
      await pageAt(browser, forged)
    }
    expect((await broughtCalls('confirmConsentAuthorisation')) - before).toBe(1)
    await pageAt(browser, back.href)
    expect((await broughtCalls('confirmConsentAuthorisation')) - before).toBe(2)
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
    expect((await broughtCalls('confirmConsentAuthorisation')) - before).toBe(2)
  })

  it('that arrives before the bank reports the signature counts as soon as the bank reports it', async () => {
    const { id, browser, back } = await signedAt(FINNISH)
    await bankSays('unconfirmed', 'started')
    const before = await broughtCalls('confirmConsentAuthorisation')
    expect(await pageAt(browser, back.href)).toBe('still here')
    expect(await pageAt(browser, back.href)).toBe('still here')
    expect((await broughtCalls('confirmConsentAuthorisation')) - before).toBe(0)
    await bankSays('started', 'unconfirmed')
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('of another SCA session is rejected', async () => {
    const one = await signedAt(FINNISH)
    const other = await signedAt(FINNISH)
    const foreign = withQuery(one.back, Object.fromEntries(other.back.searchParams))
    expect(await pageAt(one.browser, foreign)).toBe('still here')
    expect(await statusOf(one.id)).toBe('AUTHORIZATION_REQUIRED')
  })
})

describe('an OAuth code', () => {
  it('is exchanged once its state matches the session, and gives access to what was signed', async () => {
    const { id, browser, back } = await signedAt(OAUTH)
    expect([...back.searchParams.keys()]).toEqual(expect.arrayContaining(['code', 'state']))
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('counts even when a sweep has found the signature first', async () => {
    const { id, browser, back } = await signedAt(OAUTH)
    await passTime(gateway, 'PT10S')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('changes nothing with another state, an invalid code, or no code', async () => {
    const { id, browser, back } = await signedAt(OAUTH)
    const { code = '', state = '' } = Object.fromEntries(back.searchParams)
    const before = await broughtCalls('requestToken')
    for (const query of [{ code, state: 'another' }, { code }, { state }, {}]) {
      expect(await pageAt(browser, withQuery(back, query))).toBe('still here')
    }
    expect((await broughtCalls('requestToken')) - before).toBe(0)
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect(await pageAt(browser, back.href)).toBe(`${CALLBACK}?status=success`)
  })

  it.each(['consent', 'payment', 'sign-in'] as const)(
    'of a %s counts at once after a callback with another state, and is exchanged once however often both arrive',
    async (kind) => {
      const { browser, back, isDone } = await signedFor(kind)
      const wrong = withQuery(back, { ...Object.fromEntries(back.searchParams), state: 'another' })
      const denied = withQuery(back, { error: 'access_denied', state: 'another' })
      const before = await broughtCalls('requestToken')
      for (const address of [wrong, back.href, wrong, back.href, denied, back.href]) {
        await browser.ask(address)
      }
      expect((await broughtCalls('requestToken')) - before).toBe(1)
      expect(await isDone()).toBe(true)
    },
  )

  it('proves that the browser comes from the bank: without it, no other browser is asked to confirm', async () => {
    const { id, back } = await signedAt(OAUTH)
    const stranger = openBrowser()
    expect(await stranger.get(withQuery(back, {}))).not.toContain('Did you start this')
    await expect(stranger.post(`${back.origin}${back.pathname}/confirm`, {})).rejects.toThrow('410')
    const other = openBrowser()
    gateway.passWallTime(1)
    expect(await other.get(back.href)).toContain('Did you start this')
    await expect(stranger.post(`${back.origin}${back.pathname}/confirm`, {})).rejects.toThrow('410')
    expect(await other.post(`${back.origin}${back.pathname}/confirm`, {})).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })
})
