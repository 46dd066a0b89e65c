/** Tests leases of SCA sessions: one process at a time starts an authorisation, sends the callback or notifies the owner. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'
import { handleBankReturn } from './browser/handle-bank-return.ts'
import { findLatestScaSession, findScaSessionByReturn } from './find-sca-sessions.ts'
import { scaSessionSweep } from './jobs.ts'
import { refreshScaSession } from './refresh-sca-session.ts'
import type { ScaSession, ScaSubject } from './sca-session.ts'

const DANISH = { bic: 'KATTDK22', organizationNumber: '99001100', userId: 'freja.jensen' }
const FINNISH = { bic: 'PAIJFIHH', organizationNumber: '9900110-9', userId: '10020030' }
const STATIC = nordicBank('SKARSESS')
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Longer than any test waits: it ends when the fault is cleared. */
const HELD_UP_MILLISECONDS = 60_000

let gateway: TestGateway
let bank: SandboxBankControl
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  const [row] = await query<{ id: string }>("select id from partners where name not like 'test%' limit 1")
  partnerId = row?.id ?? ''
})
afterEach(() => bank.clearFaults())
afterAll(() => gateway.close())

type Who = { bic: string; organizationNumber: string; userId: string; preferredScaMethod?: 'Qr' }

async function asked(who: Who) {
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body: { ...who, callbackUrl: CALLBACK } })
  return { id, url: sca.type === 'redirect' ? sca.url : '' }
}

async function query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(sql, [...values])).rows
}

async function statusOf(consentId: string): Promise<string> {
  return (await gateway.client.getConsent({ consentId })).status
}

async function signingOf(subjectId: string): Promise<ScaSession> {
  const session = await findLatestScaSession(gateway.context, { partnerId, kind: 'consent', subjectId })
  return session ?? expect.fail('There is no signing')
}

async function authorisations() {
  return (await bank.consents()).at(-1)?.authorisations ?? []
}

async function holdUp(bic: string, operation: string): Promise<void> {
  await bank.postControl('/faults', { bank: bic, operation, effect: 'slow', milliseconds: HELD_UP_MILLISECONDS })
}

function clicks(url: string, cookie: string): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', headers: { ...FORM, cookie }, body: '' })
}

/** The cookie that comes with the page. */
async function cookieOf(url: string): Promise<string> {
  return (await fetch(url)).headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Another process holds the start lease of a step. */
async function isBeginning(consentId: string): Promise<boolean> {
  const { id } = await signingOf(consentId)
  const steps = await query('select 1 from sca_steps where sca_session_id = $1 and start_lease_until is not null', [id])
  return steps.length > 0
}

describe('a double click', () => {
  it('starts one authorisation at the bank, and the second request waits for it', async () => {
    const { id, url } = await asked(DANISH)
    const cookie = await cookieOf(url)
    await holdUp('KATTDK22', 'startConsentAuthorisation')
    const first = clicks(url, cookie)
    await expect.poll(() => isBeginning(id)).toBe(true)
    const second = clicks(url, cookie)
    await bank.clearFaults()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(Array(2).fill(`${new URL(url).pathname}/app`))
    const [only, ...others] = await authorisations()
    expect(others).toEqual([])
    await bank.postControl(`/authorisations/${only?.authorisationId}/sign`)
    await passTime(gateway, 'PT10S')
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('can be repeated after the bank did not respond: no lease is left', async () => {
    const { id, url } = await asked(DANISH)
    const cookie = await cookieOf(url)
    await bank.postControl('/faults', {
      bank: 'KATTDK22',
      operation: 'startConsentAuthorisation',
      effect: 'status',
      status: 503,
    })
    expect((await clicks(url, cookie)).status).not.toBe(303)
    expect(await isBeginning(id)).toBe(false)
    await bank.clearFaults()
    expect((await clicks(url, cookie)).status).toBe(303)
  })

  it('on the first page counts as one browser, which has our cookie already', async () => {
    const { url } = await asked({ ...DANISH })
    const cookie = await cookieOf(url)
    expect(cookie).toContain('havn_signing=')
    expect((await fetch(url, { headers: { cookie } })).headers.get('set-cookie')).toBeNull()
    expect((await clicks(url, '')).status).toBe(303)
    const other = await asked({ ...DANISH })
    const one = await cookieOf(other.url)
    const answers = await Promise.all([clicks(other.url, one), clicks(other.url, one)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect((await clicks(other.url, await cookieOf(url))).status).toBe(410)
  })
})

describe('an expired QR code', () => {
  it('is renewed once, although the bank is slow, other workers poll and the partner reads meanwhile', async () => {
    const { bic, organizationNumber, users } = STATIC
    const { id } = await asked({ bic, organizationNumber, userId: users[0], preferredScaMethod: 'Qr' })
    const [first] = await authorisations()
    await bank.postControl(`/authorisations/${first?.authorisationId}/expire`)
    await holdUp(bic, 'startConsentAuthorisation')
    // SCA sessions of earlier tests become due as time passes.
    await query("update sca_sessions set due_at = '2100-01-01' where due_at is not null")
    await query("update sca_sessions set due_at = '2020-01-01' where subject_id = $1", [id])
    const kind = consentScaSubject
    const kinds = { consent: kind, approval: kind, cancellation: kind, onboarding: kind }
    const sweep = () => scaSessionSweep(gateway.context, kinds).run(50)
    const renewing = sweep()
    await expect.poll(() => isBeginning(id)).toBe(true)
    await query('update sca_sessions set read_at = null where subject_id = $1', [id])
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    expect(await sweep()).toBe(0)
    await bank.clearFaults()
    expect(await renewing).toBe(1)
    expect(await authorisations()).toHaveLength(2)
    const { steps } = await signingOf(id)
    expect(steps[0]).toMatchObject({ state: 'open', renewals: 1 })
    expect(steps[0]?.authorisationId).not.toBe(first?.authorisationId)
    const [row] = await query<{ lease: unknown }>(
      'select lease_until as lease from sca_sessions where subject_id = $1',
      [id],
    )
    expect(row?.lease).toBeNull()
  })
})

/** A consent that its user has signed at the bank, and the callback URL with a code that the browser would load. */
async function signedFinnish() {
  const { id, url } = await asked(FINNISH)
  const browser = openBrowser()
  const page = await browser.follow(await browser.post(url, {}))
  await browser.get(page.href)
  await browser.post(page.href, { userId: FINNISH.userId })
  const back = new URL(await browser.post(page.href, { decision: 'approve' }))
  const [, , , scaSessionId = '', , token = ''] = back.pathname.split('/')
  const session = await findScaSessionByReturn(gateway.context, { partnerId, scaSessionId, token })
  const returning = { returnToken: token, query: Object.fromEntries(back.searchParams), browserToken: undefined }
  return { id, browser, back, returning, session: session ?? expect.fail('There is no signing') }
}

/** Resolves when the bank is polled again, which happens twice a second at most. */
async function comesBack(browser: ReturnType<typeof openBrowser>, back: URL): Promise<string> {
  await expect.poll(async () => (await browser.follow(back.href)).href, { interval: 600 }).toContain(CALLBACK)
  return (await browser.follow(back.href)).href
}

describe('the callback of a browser', () => {
  it('can be repeated after it could not be processed here', async () => {
    const { id, browser, back, returning, session } = await signedFinnish()
    const broken: ScaSubject = { ...consentScaSubject, complete: () => Promise.reject(new Error('The disk is full')) }
    await expect(handleBankReturn(gateway.context, broken, session, returning)).rejects.toThrow('The disk is full')
    expect(await comesBack(browser, back)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('can be repeated after a process crashed while processing it, once its lease has expired', async () => {
    const { id, browser, back, returning, session } = await signedFinnish()
    const dead = Promise.withResolvers<boolean>()
    const dying: ScaSubject = { ...consentScaSubject, complete: () => dead.promise }
    const lost = handleBankReturn(gateway.context, dying, session, returning)
    const claimed = () =>
      query('select 1 from sca_steps where sca_session_id = $1 and callback_lease_until is not null', [session.id])
    await expect.poll(async () => (await claimed()).length).toBe(1)
    await query('update sca_steps set returned_at = null where sca_session_id = $1', [session.id])
    expect((await browser.follow(back.href)).href).toBe(back.href)
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    await query("update sca_steps set callback_lease_until = '2020-01-01' where sca_session_id = $1", [session.id])
    expect(await comesBack(browser, back)).toBe(`${CALLBACK}?status=success`)
    dead.resolve(false)
    await lost
  })
})

describe('the outcome of an SCA session', () => {
  /** A consent that its user has signed in the app and that has not been polled yet. */
  async function signedInApp() {
    const { id, url } = await asked(DANISH)
    await openBrowser().post(url, {})
    await bank.postControl(`/authorisations/${(await authorisations()).at(-1)?.authorisationId}/sign`)
    return { id, session: await signingOf(id) }
  }

  it('is recorded once, whichever process completes the session', async () => {
    const { id, session } = await signedInApp()
    const told = Promise.withResolvers<void>()
    let tellings = 0
    const kind: ScaSubject = {
      ...consentScaSubject,
      ended: async (...end) => {
        tellings += 1
        await told.promise
        return await consentScaSubject.ended(...end)
      },
    }
    const first = refreshScaSession(gateway.context, kind, session)
    await expect.poll(() => tellings).toBe(1)
    const decided = await signingOf(id)
    const others = await Promise.all([1, 2, 3].map(() => refreshScaSession(gateway.context, kind, decided)))
    expect(others).toMatchObject(Array(3).fill({ at: 'open' }))
    const late = refreshScaSession(gateway.context, kind, decided)
    told.resolve()
    expect(await first).toMatchObject({ at: 'end', outcome: 'success' })
    expect(await late).toMatchObject({ at: 'end', outcome: 'success' })
    expect(tellings).toBe(1)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is recorded by a sweep soon after its owner module could not record it', async () => {
    const { id, session } = await signedInApp()
    const away: ScaSubject = { ...consentScaSubject, ended: () => Promise.reject(new Error('The bank is away')) }
    await expect(refreshScaSession(gateway.context, away, session)).rejects.toThrow('The bank is away')
    await passTime(gateway, 'PT6S')
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is recorded by a sweep when the process that was recording it crashed', async () => {
    const { id, session } = await signedInApp()
    const dead = Promise.withResolvers<never>()
    const dying: ScaSubject = { ...consentScaSubject, ended: () => dead.promise }
    const lost = refreshScaSession(gateway.context, dying, session)
    await expect.poll(async () => (await signingOf(id)).status).toBe('decided')
    await passTime(gateway, 'PT3M')
    expect(await statusOf(id)).toBe('ACCEPTED')
    dead.reject(new Error('It is gone'))
    await expect(lost).rejects.toThrow('It is gone')
  })
})
