/** Tests the browser's redirects in an SCA session: each authorisation has its own time, and the URLs are ours. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHavnClient } from '../../sdk/index.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { openFormBrowser } from '../testing/browser/form-browser.ts'
import { freePorts } from '../testing/gateway/free-ports.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, OLA, PSU } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let bank: SandboxBankControl
let kari: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  kari = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())

describe('the redirect to the bank and back', () => {
  async function approvalOf(count: number, consent = kari): Promise<string> {
    const payments: string[] = []
    for (let number = 0; number < count; number += 1) {
      const body = domesticPayment(gateway)
      payments.push((await gateway.client.initiateDomesticPayment({ ...kari, body })).paymentId)
    }
    const { sca } = await gateway.client.approvePayments({ ...consent, body: { payments, callbackUrl: CALLBACK } })
    return sca?.type === 'redirect' ? sca.url : ''
  }

  async function approveAt(browser: ReturnType<typeof openBrowser>, address: string, userId: string): Promise<string> {
    await browser.get(address)
    await browser.post(address, { userId })
    return await browser.post(address, { decision: 'approve' })
  }

  it('gives each authorisation of a chain its full time', async () => {
    const url = await approvalOf(2)
    const browser = openBrowser()
    const first = await browser.post(url, {})
    await passTime(gateway, 'PT8M')
    const back = await approveAt(browser, first, KARI)
    await browser.get(back)
    const second = await browser.post(`${back}/next`, {})
    await passTime(gateway, 'PT8M')
    const end = await browser.follow(await approveAt(browser, second, KARI))
    expect(end.searchParams.get('status')).toBe('success')
  })

  it('starts every authorisation of a chain as the user who signs', async () => {
    const ola = await acceptedConsent(gateway, OLA)
    const url = await approvalOf(2, ola)
    const browser = openBrowser()
    const back = await approveAt(browser, await browser.post(url, {}), OLA)
    await browser.get(back)
    await browser.post(`${back}/next`, {})
    const { rows } = await gateway.context.database.pool.query<{ user: string }>(
      'select psu_id as user from sandbox_bank.authorisations order by position desc limit 2',
    )
    expect(rows).toEqual([{ user: OLA }, { user: OLA }])
  })

  it('starts no authorisation for a partner that was disabled, whose link opens nothing; its user can go back', async () => {
    const url = await approvalOf(2)
    const unused = await approvalOf(1)
    const browser = openBrowser()
    const back = await approveAt(browser, await browser.post(url, {}), KARI)
    const { pool } = gateway.context.database
    await pool.query('update partners set disabled_at = created_at')
    await browser.get(back)
    const answers = [browser.ask(url), browser.ask(unused), browser.ask(unused, {}), browser.ask(`${back}/next`, {})]
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await browser.post(`${back}/leave`, {})).toBe(`${CALLBACK}?status=cancelled`)
    await pool.query('update partners set disabled_at = null')
  })

  it('calls the bank once, however many callbacks arrive at one moment', async () => {
    const browser = openBrowser()
    await browser.post(await approvalOf(1), {})
    const { rows } = await gateway.context.database.pool.query<{ back: string }>(
      'select redirect_uri as back from sandbox_bank.authorisations order by position desc limit 1',
    )
    const address = rows[0]?.back ?? ''
    // Until the bank has answered, the authorisation does not count as read.
    await bank.holdNextCall('getPaymentScaStatus')
    const before = await readings()
    let shown = 0
    const requests = Array.from({ length: 8 }, async () => {
      const page = await browser.get(address)
      shown += 1
      return page
    })
    await expect.poll(() => shown).toBe(7)
    await bank.clearFaults()
    const pages = await Promise.all(requests)
    expect(pages.every((page) => page.includes('Waiting for your bank'))).toBe(true)
    expect((await readings()) - before).toBe(1)
  })

  /** How often the bank was polled for an authorisation. */
  async function readings(): Promise<number> {
    const text = await (await fetch(`${gateway.url}/metrics`)).text()
    const lines = text.split('\n').filter((line) => /^havn_bank_\w*_count.*getPaymentAuthorisation/.test(line))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
})

describe('the switch of the language', () => {
  const languageIn = ({ html }: { readonly html: string }) => /<html lang="(\w+)">/.exec(html)?.[1]

  it('changes the page of a link and those after it, keeps a query, and works on the result of a form', async () => {
    const url = await consentUrl('SAIMFIHH')
    const page = openFormBrowser(gateway)
    const review = await page.open(url, { 'accept-language': 'nb' })
    expect(languageIn(review)).toBe('nb')
    // The languages of the company's country are first.
    expect([...review.html.matchAll(/ lang="(\w\w)"[^>]*>(?=[A-Z])/g)].map(([, language]) => language)).toEqual([
      'fi',
      'sv',
      'en',
      'nb',
      'da',
    ])
    const { html } = await page.open(`${url}?code=a%26b`)
    expect(html).toContain('href="?code&#61;a%26b&#38;language&#61;sv"')
    expect(languageIn(await page.open(`${url}?language=sv`, { 'accept-language': 'fi' }))).toBe('sv')
    expect(languageIn(await page.open(url, { 'accept-language': 'fi' }))).toBe('sv')
    const ofForm = await page.open(`${url}/next?language=fi`)
    expect([ofForm.place, languageIn(ofForm)]).toEqual([url.slice(gateway.url.length), 'fi'])
    const copied = await page.open(`${url}).`)
    expect([copied.status, languageIn(copied)]).toEqual([200, 'fi'])
    const unknown = await page.open(`${url.slice(0, -2)}xx`)
    expect([unknown.status, languageIn(unknown), unknown.html.includes('hreflang="sv"')]).toEqual([404, 'fi', true])
  })

  it('begins with that of the bank’s country for a browser that accepts none of ours, also in the evidence', async () => {
    const url = await consentUrl('SAIMFIHH')
    const german = { 'accept-language': 'de-DE,de;q=0.9' }
    const shown = async (headers: Record<string, string>) =>
      languageIn(await openFormBrowser(gateway).open(url, headers))
    expect(await shown(german)).toBe('fi')
    expect(await shown({ 'accept-language': '*' })).toBe('fi')
    expect(await shown({ 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' })).toBe('en')
    await fetch(url, { method: 'POST', redirect: 'manual', headers: german })
    const used = await openFormBrowser(gateway).open(url, german)
    expect([used.status, languageIn(used)]).toEqual([410, 'fi'])
    const text = 'select language from sca_steps where sca_session_id = $1'
    const { rows } = await gateway.context.database.pool.query(text, [new URL(url).pathname.split('/').at(-2)])
    expect(rows).toEqual([{ language: 'fi' }])
  })

  async function consentUrl(bic: string): Promise<string> {
    const { organizationNumber, users } = nordicBank(bic)
    const body = { bic, organizationNumber, userId: users[0], callbackUrl: CALLBACK }
    const { sca } = await gateway.client.createConsent({ psu: PSU, body })
    return sca?.type === 'redirect' ? sca.url : ''
  }
})

it('by https forms keeps to the path of our own URL, and the cookie to our host', async () => {
  const [port = 0] = await freePorts(1)
  const behindProxy = await startTestGateway({
    settings: { HAVN_PORT: String(port), HAVN_BASE_URL: 'https://pay.example/havn' },
  })
  try {
    const direct = `http://127.0.0.1:${port}`
    const credentials = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }
    const client = createHavnClient({ baseUrl: direct, environment: 'sandbox', maxRetries: 0, ...credentials })
    const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl: CALLBACK }
    const { sca } = await client.createConsent({ psu: PSU, body })
    const link = sca.type === 'redirect' ? sca.url : ''
    expect(link).toMatch(/^https:\/\/pay\.example\/havn\/signing\//)
    const { pathname } = new URL(link)
    // A proxy before the gateway removes its path prefix.
    const ours = `${direct}${pathname.replace('/havn', '')}`
    const page = await (await fetch(ours)).text()
    expect([...page.matchAll(/action="([^"]+)"/g)].map(([, action]) => action)).toEqual([pathname, `${pathname}/leave`])
    const left = await fetch(ours, { method: 'POST', redirect: 'manual' })
    const cookie = left.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-havn_signing=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const shownTo = async (sent: string) => (await fetch(ours, { headers: { cookie: sent } })).status
    const [pair = ''] = cookie.split(';')
    // Without the prefix, another host of the same domain could have planted it.
    expect([await shownTo(pair), await shownTo(pair.replace('__Host-', ''))]).toEqual([200, 410])
  } finally {
    await behindProxy.close()
  }
})

it('links of a partner that was disabled start nothing at a bank, and what is in progress there still counts', async () => {
  const { pool } = gateway.context.database
  const consentOf = async (userId: string) => {
    const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId, callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
    return { id, url: sca.type === 'redirect' ? sca.url : '' }
  }
  const [begun, unused] = [await consentOf(KARI), await consentOf(OLA)]
  const browser = openBrowser()
  const address = await browser.post(begun.url, {})
  await browser.post(address, { userId: KARI })
  await pool.query('update partners set disabled_at = $1', [gateway.context.clock.real().toString()])
  const opened = async (method: string) => (await fetch(unused.url, { method, redirect: 'manual' })).status
  expect([await opened('GET'), await opened('POST')]).toEqual([404, 404])
  await browser.follow(await browser.post(address, { decision: 'approve' }))
  const statusOf = 'select status from consents where id = $1'
  expect((await pool.query(statusOf, [begun.id])).rows).toEqual([{ status: 'ACCEPTED' }])
})
