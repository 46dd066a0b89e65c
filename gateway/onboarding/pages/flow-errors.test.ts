/** Tests the hosted flow in adverse conditions: an unavailable registry, an expired session, a proxy. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFormBrowser } from '../../testing/browser/form-browser.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { BAKERY, openOnboardingDriver } from '../testing/onboarding-driver.ts'

/** The sample registry does not respond for this company. */
const SILENT = { country: 'NO', organizationNumber: '987654597' } as const
const COMPANY = {
  'address.streetName': 'Storgata 1',
  'address.postCode': '0155',
  'address.city': 'Oslo',
  'address.country': 'NO',
  email: 'post@example.com',
  phone: '+47 22 33 44 55',
}

/** As the pages limit them. */
const FORMS_PER_MINUTE = 120

const headingOf = ({ html }: { readonly html: string }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

describe('on the machine itself', () => {
  let gateway: TestGateway
  let onboarder: ReturnType<typeof openOnboardingDriver>
  beforeAll(async () => {
    gateway = await startTestGateway()
    onboarder = openOnboardingDriver(gateway)
  })
  afterAll(() => gateway.close())

  it('shows a friendly page when the registry is unavailable, uses nothing up, and permits another try', async () => {
    const { url, ...key } = await onboarder.start(SILENT)
    const link = new URL(url).pathname
    const browser = openFormBrowser(gateway)
    await browser.open(link)
    const page = await browser.send(link)
    expect([page.status, page.place, headingOf(page)]).toEqual([503, link, 'This does not work right now'])
    expect((await onboarder.status({ ...key })).status).toBe('Created')
    const [, again = ''] = /<a class="button" href="([^"]+)"/.exec(page.html) ?? []
    const start = await browser.open(new URL(again, url).pathname)
    expect([start.status, start.place, headingOf(start)]).toEqual([200, link, 'Get started with Demo partner'])
    expect((await browser.send(link)).status).toBe(503)
  })

  it('opens a link with characters of a text behind it, and shows a page for one that was cut off', async () => {
    const link = new URL((await onboarder.start(BAKERY)).url).pathname
    const browser = openFormBrowser(gateway)
    for (const behind of ['', ').', '%E2%80%8B']) {
      const start = await browser.open(`${link}${behind}`)
      expect([start.status, /action="([^"]+)"/.exec(start.html)?.[1]]).toEqual([200, link])
    }
    const cut = await browser.open(link.split('/', 4).join('/'), { accept: 'text/html' })
    expect([cut.status, headingOf(cut)]).toEqual([404, 'This link does not work'])
  })

  it('asks a browser whose session is over to open the link again, and continues with what was saved there', async () => {
    const { url, ...key } = await onboarder.start(BAKERY)
    const link = new URL(url).pathname
    const path = `/onboarding/${key.partnerId}/${key.id}`
    const browser = openFormBrowser(gateway)
    await browser.open(link)
    await browser.send(link)
    await browser.send(`${path}/company`, COMPANY)
    const before = browser.cookies()
    const over = `update onboarding_sessions set expires_at = now() - interval '1 second' where onboarding_id = $1`
    await gateway.context.database.pool.query(over, [key.id])
    for (const page of [await browser.open(`${path}/owners`), await browser.send(`${path}/owners`, { do: 'add' })]) {
      expect([page.status, headingOf(page)]).toEqual([403, 'This page has expired'])
      expect(page.html).not.toContain('post@example.com')
    }
    await browser.open(link)
    // The browser has not proved that it saved the answers: its user identifies first, or starts again.
    expect((await browser.send(link)).place).toBe(`${path}/elsewhere`)
    expect(browser.cookies()).not.toBe(before)
    expect((await onboarder.status({ ...key })).tasks[0]).toEqual({ type: 'CompanyDetails', status: 'Done' })
  })

  it('limits the forms of one onboarding, from all holders of its link together', async () => {
    const sessionsOf = async (id: string) => {
      const text = 'select count(*)::int as sessions from onboarding_sessions where onboarding_id = $1'
      return (await gateway.context.database.pool.query(text, [id])).rows[0].sessions
    }
    const [flooded, other] = [await onboarder.start(BAKERY), await onboarder.start(BAKERY)]
    const [link, otherLink] = [new URL(flooded.url).pathname, new URL(other.url).pathname]
    const browser = openFormBrowser(gateway)
    await browser.open(link)
    for (let n = 0; n < FORMS_PER_MINUTE; n += 1) {
      expect((await browser.post(`${link}?${n}`, '')).status).not.toBe(429)
    }
    const stored = await sessionsOf(flooded.id)
    expect((await browser.send(link)).status).toBe(429)
    expect(await sessionsOf(flooded.id)).toBe(stored)
    await browser.open(otherLink)
    expect((await browser.send(otherLink)).status).toBe(200)
    expect((await browser.open(link)).status).toBe(200)
  })
})

describe('behind a proxy with https', () => {
  const PLACE = 'https://onboarding.example/havn'
  let gateway: TestGateway
  let onboarder: ReturnType<typeof openOnboardingDriver>
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: { HAVN_ONBOARDING_URL: PLACE, HAVN_TRUST_PROXY: '1' } })
    // The API of the partner is where it was; only the pages are elsewhere.
    onboarder = openOnboardingDriver(gateway)
  })
  afterAll(() => gateway.close())

  const FORWARDED = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'onboarding.example',
    'x-forwarded-for': '192.0.2.7',
  }
  /** What the proxy forwards: the path without its own prefix. */
  const passOn = (address: string, init: RequestInit = {}) => {
    const headers = { ...FORWARDED, ...init.headers }
    return fetch(`${gateway.url}${address.replace(/^(https:\/\/onboarding\.example)?\/havn/, '')}`, {
      ...init,
      headers,
      redirect: 'manual',
    })
  }

  it('links, forms, redirects and cookies have the external URL', async () => {
    const { url } = await onboarder.start(BAKERY)
    expect(url.startsWith(`${PLACE}/onboarding/`)).toBe(true)
    const start = await passOn(url)
    const [cookie = ''] = start.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-havn_onboarding_[\w-]{36}=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const html = await start.text()
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
    expect(action).toBe(new URL(url).pathname)
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(html) ?? []
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    const begun = await passOn(action, { method: 'POST', headers, body: new URLSearchParams({ formToken }) })
    const path = action.replace(/\/[^/]+$/, '')
    expect([begun.status, begun.headers.get('location')]).toEqual([303, `${path}/continue`])
    const next = await passOn(`${path}/continue`, { headers })
    expect([next.status, next.headers.get('location')]).toEqual([303, `${path}/company`])
    const page = await (await passOn(`${path}/company`, { headers })).text()
    expect(page).toContain(`action="${path}/company"`)
    const led = [...page.matchAll(/href="([^"]*)"/g)].map(
      ([, href = '']) => new URL(href, `${PLACE}${path.slice(5)}/company`),
    )
    expect(led.map(({ href }) => href)).toContain(`${PLACE}/assets/havn.css`)
    expect(led.filter(({ href }) => !href.startsWith(`${PLACE}/`))).toEqual([])
    expect((await passOn(`${PLACE}/assets/havn.css`)).status).toBe(200)
  })

  it('a cookie that another host of the domain could have planted is rejected', async () => {
    const { url } = await onboarder.start(BAKERY)
    const start = await passOn(url)
    const [cookie = ''] = start.headers.getSetCookie()
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(await start.text()) ?? []
    const planted = { cookie: (cookie.split(';')[0] ?? '').replace('__Host-', '') }
    const body = new URLSearchParams({ formToken })
    expect((await passOn(url, { method: 'POST', headers: planted, body })).status).toBe(403)
  })
})
