/** Tests signing in an app: started when the user is present, shown on our page, completed at the partner. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openApprovalDriver } from '../testing/payments/approval-driver.ts'
import { acceptedWithoutBrowser, openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import type { ScaSubject } from './sca-session.ts'
import { selectScaMethod } from './select-sca-method.ts'
import { type ScaSessionRequest, startScaSession } from './start-sca-session.ts'

const DANISH = { bic: 'KATTDK22', organizationNumber: '99001100', userId: 'freja.jensen' }
const SEB = nordicBank('VASASESS')

let gateway: TestGateway
let bank: SandboxBankControl
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
})
afterAll(() => gateway.close())

type Who = { bic: string; organizationNumber: string; userId: string; preferredScaMethod?: 'Qr' }

async function askedConsent(who: Who) {
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body: { ...who, callbackUrl: CALLBACK } })
  return { id, url: sca.type === 'redirect' ? sca.url : '' }
}

async function statusOf(consentId: string): Promise<string> {
  return (await gateway.client.getConsent({ consentId })).status
}

async function authorisations() {
  return (await bank.consents()).at(-1)?.authorisations ?? []
}

async function decideInApp(act: 'sign' | 'reject' | 'leave'): Promise<void> {
  await bank.postControl(`/authorisations/${(await authorisations()).at(-1)?.authorisationId}/${act}`)
}

/** The redirect of the waiting page once it reloads. */
async function lookAgain(browser: ReturnType<typeof openBrowser>, page: string): Promise<string> {
  let href = ''
  const follow = async () => {
    href = (await browser.follow(page)).href
    return href
  }
  await expect.poll(follow).toContain(CALLBACK)
  return href
}

describe('a bank whose users sign in its app', () => {
  it.each([
    ['no preference', {}],
    ['a preferred QR code, which it does not have', { preferredScaMethod: 'Qr' as const }],
  ])('is called once the user continues, and not before, with %s: apps wait for seconds only', async (_wish, wish) => {
    const { url } = await askedConsent({ ...DANISH, ...wish })
    const browser = openBrowser()
    expect(await browser.get(url)).toContain('Continue in your app')
    expect(await authorisations()).toEqual([])
    expect(await browser.post(url, {})).toBe(`${url}/app`)
    expect(await authorisations()).toHaveLength(1)
    expect(await browser.post(url, {})).toBe(`${url}/app`)
    expect(await authorisations()).toHaveLength(1)
  })

  it('has its text shown on a page that reloads itself, without scripts, in this browser only', async () => {
    const { url } = await askedConsent(DANISH)
    const browser = openBrowser()
    const page = await browser.post(url, {})
    const shown = await browser.get(page)
    expect(shown).toContain('MitID')
    expect(shown).not.toContain('<script')
    expect((await fetch(page)).status).toBe(410)
    const answer = await browser.ask(page)
    expect(answer.headers.get('refresh')).toBe('1')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it.each([
    ['sign', 'success', 'ACCEPTED'],
    ['reject', 'rejected', 'REJECTED'],
    ['leave', 'cancelled', 'CANCELLED'],
  ] as const)('%s in the app sends the browser on with %s, and the consent is %s', async (act, said, status) => {
    const { id, url } = await askedConsent(DANISH)
    const browser = openBrowser()
    const page = await browser.post(url, {})
    await browser.get(page)
    await decideInApp(act)
    expect(await lookAgain(browser, page)).toBe(`${CALLBACK}?status=${said}`)
    expect(await statusOf(id)).toBe(status)
  })

  it('decides when a sweep finds the signature first: the browser is redirected without calling the bank', async () => {
    const { id, url } = await askedConsent(DANISH)
    const browser = openBrowser()
    const page = await browser.post(url, {})
    await decideInApp('sign')
    await passTime(gateway, 'PT10S')
    expect(await statusOf(id)).toBe('ACCEPTED')
    expect((await browser.follow(page)).href).toBe(`${CALLBACK}?status=success`)
  })

  it('shows the outcome to the same browser again, and to no other', async () => {
    const { url } = await askedConsent(DANISH)
    const browser = openBrowser()
    const page = await browser.post(url, {})
    await decideInApp('sign')
    await lookAgain(browser, page)
    expect(await browser.get(url)).toContain('<h1>Signed</h1>')
    expect((await fetch(url)).status).toBe(410)
  })
})

describe('a user with several methods', () => {
  const CHOOSING = { ...DANISH, userId: 'chooses.method' }

  it('chooses one of the bank’s list on our page, and then signs with it', async () => {
    const { id, url } = await askedConsent(CHOOSING)
    const browser = openBrowser()
    const page = await browser.post(url, {})
    const list = await browser.ask(page)
    const text = await list.text()
    // The user reads it.
    expect(list.headers.get('refresh')).toBeNull()
    expect(text).toContain('Choose how to sign')
    for (const name of ['App on your phone', 'QR code', 'You scan a code with the app.', 'SMS to +47 *** ** 123']) {
      expect(text).toContain(name)
    }
    expect(
      (await fetch(`${url}/method`, { method: 'POST', body: new URLSearchParams({ method: 'app' }) })).status,
    ).toBe(410)
    expect(await browser.post(`${url}/method`, { method: 'not on the list' })).toBe(page)
    const rejected = await browser.ask(`${url}/method`, { method: 'sms' })
    expect(await rejected.text()).toContain('does not accept this method here')
    expect((await authorisations()).map(({ scaStatus }) => scaStatus)).toEqual(['psuAuthenticated'])

    expect(await browser.post(`${url}/method`, { method: 'app' })).toBe(page)
    expect((await authorisations()).map(({ scaStatus }) => scaStatus)).toEqual(['scaMethodSelected'])
    expect(await browser.get(page)).toContain('MitID')
    expect(await browser.post(`${url}/method`, { method: 'code' })).toBe(page)
    await passTime(gateway, 'PT3S')
    expect(await lookAgain(browser, page)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('is not trusted with a method that continues on the bank’s pages, which may have been forwarded', async () => {
    const { id, url } = await askedConsent(CHOOSING)
    const browser = openBrowser()
    await browser.post(url, {})
    const { context } = gateway
    const [, partnerId = '', sessionId = ''] = new URL(url).pathname.split('/').slice(1)
    const session = await reloadScaSession(context, { partnerId, id: sessionId })
    // No sandbox bank has a method that continues on its pages.
    const redirecting: ScaSubject = {
      ...consentScaSubject,
      selectMethod: async (...chosen) => {
        await consentScaSubject.selectMethod?.(...chosen)
        return { type: 'redirect', url: 'https://bank.example/sign' }
      },
    }
    const requesting = { token: undefined, ipAddress: '127.0.0.1', userAgent: '', language: 'en' } as const
    const choice = { methodId: 'app', browser: requesting }
    expect(await selectScaMethod(context, redirecting, session, choice)).toMatchObject({ to: 'bank' })
    await passTime(gateway, 'PT3S')
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
  })

  it('chooses for a payment and for its cancellation, too', async () => {
    const choosing = await askedConsent(CHOOSING)
    expect(await signedByChoice(choosing.url)).toBe(`${CALLBACK}?status=success`)
    const consent = { consentId: choosing.id, psu: PSU }
    const payer = openPaymentDriver(gateway)
    const day = gateway.context.clock.today('Europe/Copenhagen').add({ days: 20 }).toString()
    const { paymentId } = await payer.order(nordicBank(DANISH.bic), { dueDate: day })
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const approval = await gateway.client.approvePayments({ ...consent, body })
    expect(await signedByChoice(linkOf(approval.sca))).toBe(`${CALLBACK}?status=success`)
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'InProgress' })
    const withdrawn = { ...consent, body: { paymentId, callbackUrl: CALLBACK } }
    const cancellation = await gateway.client.cancelPayment(withdrawn)
    expect(await signedByChoice(linkOf(cancellation.sca))).toBe(`${CALLBACK}?status=success`)
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  })

  it('chooses once for several payments in one basket, which a rejected choice leaves as it is', async () => {
    const at = nordicBank('MALBSESS')
    const consent = await acceptedWithoutBrowser(gateway, '197777000014', {
      bic: at.bic,
      organizationNumber: at.organizationNumber,
    })
    const approvals = openApprovalDriver(gateway)
    const paymentIds = await approvals.order(at, 3)
    const body = { payments: paymentIds, callbackUrl: CALLBACK }
    // No sandbox bank has both baskets and nothing but its app.
    const { banks } = gateway.context
    const { find } = banks
    const inApp = async (bic: string) => {
      const bank = await find(bic)
      return bank && { ...bank, profile: { ...bank.profile, scaApproaches: ['decoupled'] } }
    }
    Object.assign(banks, { find: inApp })
    onTestFinished(() => void Object.assign(banks, { find }))
    const { id, sca } = await gateway.client.approvePayments({ ...consent, body })
    const [url, browser] = [linkOf(sca), openBrowser()]
    const page = await browser.post(url, {})
    expect(await (await browser.ask(`${url}/method`, { method: 'sms' })).text()).toContain(
      'does not accept this method',
    )
    expect(await approvals.tiedUp(paymentIds)).toBe(3)
    expect(await browser.post(`${url}/method`, { method: 'app' })).toBe(page)
    expect(await approvals.authorised(paymentIds)).toMatchObject([
      { subject: 'basket', scaStatus: 'scaMethodSelected' },
    ])
    await passTime(gateway, 'PT3S')
    expect(await lookAgain(browser, page)).toBe(`${CALLBACK}?status=success`)
    expect(await approvals.statuses(paymentIds)).toEqual(['InProgress', 'InProgress', 'InProgress'])
    const params = { approvalId: id }
    const approval = await gateway.client.getPaymentApproval({ ...consent, params })
    expect(approval).toMatchObject({ status: 'ACCEPTED' })
  })

  it('may choose a code, which our page shows', async () => {
    const { url } = await askedConsent(CHOOSING)
    const browser = openBrowser()
    const page = await browser.post(url, {})
    await browser.get(page)
    expect(await browser.post(`${url}/method`, { method: 'code' })).toBe(page)
    expect(await browser.get(page)).toContain('/code.png')
    expect((await browser.ask(`${url}/code.png`)).headers.get('content-type')).toBe('image/png')
  })

  it('is not asked where a code is preferred and one method has one', async () => {
    const who = { bic: SEB.bic, organizationNumber: SEB.organizationNumber, userId: '197777000014' }
    const body = { ...who, preferredScaMethod: 'Qr', callbackUrl: CALLBACK } as const
    const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
    expect(sca).toMatchObject({ type: 'qr', image: expect.stringMatching(/./) })
    await passTime(gateway, 'PT3S')
    await expect.poll(() => statusOf(id)).toBe('ACCEPTED')
  })
})

describe('a QR code on our page', () => {
  it('is an image of ours for this browser only, and the signature continues the session', async () => {
    const { id, url } = await codeOnOurPage()
    const browser = openBrowser()
    const page = await browser.post(url, {})
    expect(page).toBe(`${url}/app`)
    expect(await browser.get(page)).toContain(`src="${new URL(url).pathname}/code.png"`)
    expect((await fetch(`${url}/code.png`)).status).toBe(410)
    const image = await browser.ask(`${url}/code.png`)
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(image.headers.get('cache-control')).toBe('no-store')
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    await decideInApp('sign')
    expect(await lookAgain(browser, page)).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(id)).toBe('ACCEPTED')
  })
})

const linkOf = (sca: { readonly type: string; readonly url?: string } | undefined) => sca?.url ?? ''

/** Chooses the app on our page, where the scripted user signs; returns where the browser ends. */
async function signedByChoice(url: string): Promise<string> {
  const browser = openBrowser()
  const page = await browser.post(url, {})
  expect(await browser.post(`${page.replace(/\/app$/, '')}/method`, { method: 'app' })).toBe(page)
  await passTime(gateway, 'PT3S')
  return await lookAgain(browser, page)
}

/** As for payrolls: their partners cannot show a QR code. */
async function codeOnOurPage(): Promise<{ id: string; url: string }> {
  const { context } = gateway
  const who = { bic: SEB.bic, organizationNumber: SEB.organizationNumber, userId: SEB.users[0] }
  const { id } = await askedConsent(who)
  const { rows } = await context.database.pool.query<{ partner: string }>(
    'select partner_id as partner from consents where id = $1',
    [id],
  )
  const request: ScaSessionRequest = {
    partnerId: rows[0]?.partner ?? '',
    kind: 'consent',
    subjectId: id,
    consentId: id,
    bic: SEB.bic,
    callbackUrl: CALLBACK,
    expiresAt: context.clock.now().add({ minutes: 10 }),
    psu: null,
    userId: null,
    preferred: 'qr',
    codeForPartner: false,
    steps: [{ targetType: 'consent', targetId: id, shown: [] }],
  }
  const { url } = await startScaSession(context, consentScaSubject, request, async () => true)
  return { id, url }
}
