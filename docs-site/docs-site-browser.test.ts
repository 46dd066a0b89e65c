/** Tests the documentation in a browser: wide and narrow, light and dark, with and without scripts, by keyboard. */
import { type FastifyInstance, fastify } from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../gateway/testing/browser/browser-user.ts'
import { DOCUMENTED_GATEWAY } from './docs-settings.ts'
import { serveDocsSite } from './routes.ts'

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Parts in which every colour of a page of the reference occurs: a page has thousands of elements. */
const ONE_OF_EACH = '.top, #content > h1, #createConsent .about > *, #createConsent .tabs, #revokeConsent .destructive'

let server: FastifyInstance
let address: string
let browser: Browser
let visitor: BrowserUser
beforeAll(async () => {
  server = fastify()
  const now = () => Temporal.Instant.from('2027-03-01T12:00:00Z')
  server.addContentTypeParser('application/x-www-form-urlencoded', (_request, _payload, done) => done(null))
  server.post('/v2/connect/token', async () => ({ access_token: 'a token' }))
  serveDocsSite(server, { ...DOCUMENTED_GATEWAY, companyRegistries: { NO: 'sample' } }, { now })
  address = `${await server.listen({ host: '127.0.0.1', port: 0 })}/docs`
  browser = await sharedChromium()
})
afterAll(async () => {
  await server.close()
})
beforeEach(async () => {
  visitor = await openBrowserUser(browser, { album: 'documentation', everyPage: true })
})
afterEach(async () => {
  await visitor.close()
  expect(visitor.complaints).toEqual([])
})

const topOf = async (selector: string) => (await visitor.page.locator(selector).first().boundingBox())?.y ?? Number.NaN

test('every kind of page is accessible on phone and desktop, in light and dark mode', async () => {
  const { page } = visitor
  for (const [name, path, contrastsOf] of [
    ['home', ''],
    ['guide', '/guides/first-payment'],
    ['reference', '/reference/consents', ONE_OF_EACH],
    ['operations', '/reference', '.top, .group:first-of-type'],
    ['errors', '/errors', '.top, #ACCESS_DENIED'],
    ['search', '/search?q=consent'],
  ] as const) {
    await page.goto(`${address}${path}`)
    await visitor.look(name, contrastsOf)
  }
})

test('a link to an operation leads to its heading, which the sticky header does not cover', async () => {
  const { page } = visitor
  for (const [viewport, path] of [
    [DESKTOP, 'reference/payments#initiateDomesticPayment'],
    [PHONE, 'reference/payments#initiateDomesticPayment'],
    [PHONE, 'errors#InvalidDueDate'],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.goto(`${address}/${path}`)
    const top = await topOf(`#${path.split('#')[1]} :is(h2, h3)`)
    expect(top).toBeGreaterThanOrEqual(56)
    expect(top).toBeLessThan(160)
  }
})

test('the search finds an operation while its name is typed, by keyboard', async () => {
  const { page } = visitor
  await page.goto(address)
  await page.keyboard.press('/')
  await page.keyboard.type('initiateDom')
  const result = page.getByRole('link', { name: /^Initiate a domestic payment/ })
  await result.waitFor()
  await visitor.look('search-results', '.top')
  expect((await page.locator('#search-results').boundingBox())?.x).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Escape')
  expect(await result.isVisible()).toBe(false)
  await page.getByRole('searchbox').fill('initiateDom')
  await result.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/reference\/payments#initiateDomesticPayment$/)
  await page.getByRole('searchbox').fill('InvalidDueDate')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/docs\/search\?q=InvalidDueDate$/)
  expect(await page.locator('.results a').first().textContent()).toBe('InvalidDueDate')
})

test('the language of the examples is chosen for all of them, by mouse or keyboard, and remembered', async () => {
  const { page } = visitor
  await page.setViewportSize(DESKTOP)
  await page.goto(`${address}/reference/approvals`)
  const shown = async () =>
    await page
      .locator('.tab:visible')
      .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('data-tab')))])
  expect(await shown()).toEqual(['curl'])
  const typescript = page.getByRole('tab', { name: 'TypeScript' })
  await typescript.nth(1).click()
  expect(await shown()).toEqual(['TypeScript'])
  await page.goto(`${address}/reference/accounts`)
  expect(await shown()).toEqual(['TypeScript'])
  await typescript.first().focus()
  await page.keyboard.press('ArrowLeft')
  expect(await shown()).toEqual(['curl'])
})

test('code is copied as it is shown', async () => {
  const { page } = visitor
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${address}/reference/approvals`)
  const block = page.locator('#approvePayments pre:visible').first()
  await block.getByRole('button', { name: 'Copy the code' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await block.locator('code').textContent())
})

test('without scripts every language is shown, Enter searches, and the contents of a phone open and close', async () => {
  const without = await openBrowserUser(browser, { javaScript: false })
  const { page } = without
  await page.goto(`${address}/reference/approvals`)
  expect(await page.locator('#approvePayments .tab:visible').count()).toBe(
    await page.locator('#approvePayments .tab').count(),
  )
  const contents = page.getByRole('navigation', { name: 'Documentation' })
  expect(await contents.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Contents', exact: true }).click()
  expect(await contents.isVisible()).toBe(true)
  await contents.getByRole('link', { name: 'Close' }).click()
  expect(await contents.isVisible()).toBe(false)
  await page.getByRole('searchbox').fill('salaries')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('link', { name: 'Paying salaries' }).first().click()
  expect(await page.locator('h1').textContent()).toBe('Paying salaries')
  await without.close()
  expect(without.complaints).toEqual([])
})

test('tables are tables on a desktop, and one card for each row on a phone; in print there is only the content', async () => {
  const { page } = visitor
  await page.goto(`${address}/sandbox`)
  const cells = page.locator('.rows tbody tr').first().locator('td')
  for (const [viewport, isTable] of [
    [DESKTOP, true],
    [PHONE, false],
  ] as const) {
    await page.setViewportSize(viewport)
    const [first, second] = await Promise.all([0, 1].map(async (index) => await cells.nth(index).boundingBox()))
    expect([first?.y === second?.y, first?.x === second?.x]).toEqual([isTable, !isTable])
  }
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation', { name: 'Documentation' }).isVisible()).toBe(false)
  expect(await page.getByRole('searchbox').isVisible()).toBe(false)
})

test('the days of a form that sends an example count from the business time of the sandbox', async () => {
  const { page } = visitor
  await page.goto(`${address}/reference/payments`)
  const form = page.locator('#initiateDomesticPayment .try-it').first()
  await form.locator('summary').click()
  expect(await form.getByLabel('dueDate').inputValue()).toBe('2027-03-03')
})

test('a double click sends an example once, and another click sends it again', async () => {
  const { page } = visitor
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') {
      sent.push(new URL(request.url()).pathname)
    }
  })
  await page.goto(`${address}/reference/token`)
  const form = page.locator('#issueToken .try-it').first()
  await form.locator('summary').click()
  const button = form.getByRole('button', { name: 'Send POST' })
  const answered = form.getByText('200 OK')
  await button.dblclick()
  await answered.waitFor()
  expect(sent).toEqual(['/v2/connect/token'])
  await button.press('Enter')
  await expect.poll(() => sent).toHaveLength(2)
})
