/** Tests consents with a sign-in at the bank first: every step verifies the browser, forged rejections are ignored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Browser, openBrowser } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { recordReturnedBrowser } from './store/callback-store.ts'

const { bic, organizationNumber, users } = nordicBank('NORDSESS')
const [userId] = users

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** A consent, and the bank's page on which its user signs in. */
async function leftToSignIn(): Promise<{ id: string; starter: Browser; page: string }> {
  const { id, sca } = await gateway.client.createConsent({
    psu: PSU,
    body: { bic, organizationNumber, userId, callbackUrl: CALLBACK },
  })
  const starter = openBrowser()
  const address = await starter.post(sca.type === 'redirect' ? sca.url : '', {})
  return { id, starter, page: (await starter.follow(address)).href }
}

/** The URL to which the bank redirects at the end, not visited yet. */
async function cameOut(browser: Browser, address: string): Promise<URL> {
  if (address.startsWith(gateway.url)) {
    return new URL(address)
  }
  const { headers } = await browser.ask(address)
  return await cameOut(browser, new URL(headers.get('location') ?? '', address).href)
}

async function decided(browser: Browser, page: string, decision: 'approve' | 'reject'): Promise<URL> {
  await browser.get(page)
  return await cameOut(browser, await browser.post(page, { userId, decision }))
}

/** The same user has signed in, and the bank's page on which the consent itself is signed is open. */
async function leftToSign() {
  const { id, starter, page } = await leftToSignIn()
  const signedIn = await decided(starter, page, 'approve')
  expect(await starter.get(signedIn.href)).toContain('/next')
  const address = await starter.post(`${signedIn.origin}${signedIn.pathname}/next`, {})
  return { id, starter, address, signedIn }
}

/** Signs in with a browser, and returns the URL to which the bank redirects. */
async function signedIn(browser: Browser, address: string): Promise<string> {
  await browser.get(address)
  await browser.post(address, { userId })
  return await browser.post(address, { decision: 'approve' })
}

async function signingAt(back: URL) {
  const [, , partnerId = '', id = ''] = back.pathname.split('/')
  return await reloadScaSession(gateway.context, { partnerId, id })
}

async function statusOf(consentId: string): Promise<string> {
  return (await gateway.client.getConsent({ consentId })).status
}

describe('a consent whose user signed in first', () => {
  it('is accepted once the same browser returns from both', async () => {
    const { id, starter, address } = await leftToSign()
    const back = await signedIn(starter, address)
    expect((await starter.follow(back)).href).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('waits for the confirmation of the user who signed elsewhere, although the browser that started it had signed in', async () => {
    const { id, address } = await leftToSign()
    const other = openBrowser()
    const back = await signedIn(other, address)
    expect(await other.get(back)).toContain('Did you start this')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect(await other.post(`${back}/confirm`, {})).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is not verified by a callback of the sign-in while the consent is being signed', async () => {
    const { id, starter, address, signedIn: first } = await leftToSign()
    await starter.get(first.href)
    const other = openBrowser()
    const back = await signedIn(other, address)
    await starter.get(first.href)
    // Even with another code of the same sign-in, which the bank would accept.
    const { clock, database } = gateway.context
    const trust = { trustedBy: 'return', trustedAt: clock.real() } as const
    await recordReturnedBrowser(database, await signingAt(first), 0, trust)
    expect(await other.get(back)).toContain('Did you start this')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
  })
})

describe('a sign-in that returns in another browser than the one that started it', () => {
  const consentsAtBank = async () => (await openSandboxBankControl(gateway.bank).consents()).length

  /** The page on which the user finds the next step. */
  async function confirmed(browser: Browser, address: string): Promise<string> {
    return await (await browser.ask(`${address}/confirm`, {})).text()
  }

  /** Another person was sent the bank's page, signed in there, and has returned. */
  async function signedInElsewhere() {
    const { id, starter, page } = await leftToSignIn()
    const other = openBrowser()
    const back = await decided(other, page, 'approve')
    return { id, starter, other, address: `${back.origin}${back.pathname}`, shown: await other.get(back.href) }
  }

  it('calls the bank in the user’s name only after they have confirmed', async () => {
    const before = await consentsAtBank()
    const { id, starter, other, address, shown } = await signedInElsewhere()
    expect(shown).toContain('Did you start this')
    expect(await starter.post(`${address}/next`, {})).toBe(`${address}/app`)
    expect(await starter.get(`${address}/app`)).toContain('Waiting for your bank')
    await expect(other.post(`${address}/next`, {})).rejects.toThrow(/answered 410/)
    await gateway.sweep()
    expect(await consentsAtBank()).toBe(before)
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
  })

  it('continues there once they confirm, and no longer where it started', async () => {
    const { id, starter, other, address } = await signedInElsewhere()
    expect(await confirmed(other, address)).toContain('Now give access there')
    await expect(starter.post(`${address}/next`, {})).rejects.toThrow(/answered 410/)
    const back = await signedIn(other, await other.post(`${address}/next`, {}))
    expect((await other.follow(back)).href).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is rejected when they decline, and its tokens are deleted', async () => {
    const before = await consentsAtBank()
    const { id, other, address } = await signedInElsewhere()
    expect(await other.post(`${address}/refuse`, {})).toBe(`${CALLBACK}?status=rejected`)
    await gateway.sweep()
    expect(await statusOf(id)).toBe('REJECTED')
    expect(await consentsAtBank()).toBe(before)
    const stored = 'select 1 from bank_token_subjects where subject_id = $1'
    expect((await gateway.context.database.pool.query(stored, [id])).rows).toEqual([])
  })

  it('expires without a confirmation in time', async () => {
    const { id, starter, address } = await signedInElsewhere()
    await passTime(gateway, 'PT16M')
    expect(await statusOf(id)).toBe('CANCELLED')
    const ended = await (await starter.ask(`${address}/next`, {})).text()
    expect(ended).toContain(`href="${CALLBACK}?status&#61;cancelled"`)
  })
})

describe('a sign-in that the user declines', () => {
  it('rejects the consent when the bank’s callback reports it', async () => {
    const { id, starter, page } = await leftToSignIn()
    await starter.follow((await decided(starter, page, 'reject')).href)
    expect(await statusOf(id)).toBe('REJECTED')
  })

  it('changes nothing when it is forged, or has another state', async () => {
    const { id, starter, page } = await leftToSignIn()
    const back = await decided(starter, page, 'approve')
    const forger = openBrowser()
    for (const forged of ['?error=access_denied', '?error=access_denied&state=another']) {
      await forger.get(`${back.origin}${back.pathname}${forged}`)
      expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    }
  })
})
