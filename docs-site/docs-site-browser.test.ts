/** Tests the API reference in a browser without scripts: wide and narrow, light and dark, by keyboard and in print. */
import { type FastifyInstance, fastify } from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type BrowserUser,
  openBrowserUser,
  SCREENSHOTS_ENABLED,
  startChromium,
  takeScreenshot,
} from '../gateway/testing/browser/browser-user.ts'
import { serveDocsSite } from './routes.ts'

const DESKTOP = { width: 1280, height: 900 }
/** Sections in which every colour of the page occurs. The contrast of every text is also measured without axe-core. */
const ONE_OF_EACH = [
  '.top',
  '.opening',
  '#authentication',
  '#errors',
  '#createConsent',
  '#listPayments',
  '#revokeConsent',
  '#updateWebhookSubscription',
].join(', ')
const PHONE = { width: 390, height: 844 }

let server: FastifyInstance
let address: string
let browser: Browser
let visitor: BrowserUser
beforeAll(async () => {
  server = fastify()
  await serveDocsSite(server, {
    mode: 'sandbox',
    demo: true,
    baseUrl: 'http://127.0.0.1:8080',
    authUrl: 'http://127.0.0.1:8080',
    tokenRequestsPerMinute: 60,
    requestsPerSecond: 100,
    sandboxBankUrl: 'http://127.0.0.1:8081',
    sandboxXs2aUrl: 'http://127.0.0.1:8083',
    companyRegistries: { NO: 'sample' },
  })
  address = `${await server.listen({ host: '127.0.0.1', port: 0 })}/docs`
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})
beforeEach(async () => {
  visitor = await openBrowserUser(browser, { javaScript: false })
})
afterEach(async () => {
  await visitor.close()
  expect(visitor.complaints).toEqual([])
})

/** The page is long, and axe-core checks every rule on all of it. */
const PATIENCE_MILLISECONDS = 180_000
const picture = (name: string) => takeScreenshot(visitor.page, { album: 'reference', name, fullPage: false })
const topOf = async (selector: string) => (await visitor.page.locator(selector).first().boundingBox())?.y ?? Number.NaN

/** Taps by screen position: the browser driver would scroll to the original position of the sticky header. */
async function tapContents(): Promise<void> {
  const { page } = visitor
  const box = await page.getByRole('link', { name: 'Contents', exact: true }).boundingBox()
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
}

test('is accessible on phone and desktop, in light and dark mode', {
  timeout: PATIENCE_MILLISECONDS,
}, async () => {
  await visitor.page.goto(address)
  await visitor.look('reference', ONE_OF_EACH)
  await visitor.page.goto(`${address}/sandbox`)
  await visitor.look('sandbox')
})

test.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const)(
  'on a %s every link leads to its section, which the sticky header does not cover',
  async (device, viewport) => {
    const { page } = visitor
    await page.setViewportSize(viewport)
    for (const id of [
      '',
      'authentication',
      'onboarding',
      'errors',
      'sandbox',
      'initiateDomesticPayment',
      'moveSandboxClock',
    ]) {
      await page.goto(`${address}#${id}`)
      for (const colorScheme of SCREENSHOTS_ENABLED ? (['light', 'dark'] as const) : []) {
        await page.emulateMedia({ colorScheme })
        await picture(`${id === '' ? 'top' : id}-${colorScheme}-${device}`)
      }
      const top = id === '' ? await topOf('h1') : await topOf(`#${id} :is(h2, h3)`)
      expect(top).toBeGreaterThanOrEqual(device === 'phone' ? 56 : 0)
      expect(top).toBeLessThan(160)
    }
  },
)

test('the outcomes of the sandbox are a table on a desktop, and one card each on a phone', async () => {
  const { page } = visitor
  const cells = page.locator('#rejected-orders + .table tbody tr').first().locator('td')
  const placesOf = async () => await Promise.all([0, 1].map(async (index) => await cells.nth(index).boundingBox()))
  for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport)
    await page.goto(`${address}/sandbox#rejected-orders`)
    await picture(`outcomes-light-${device}`)
    const [amount, outcome] = await placesOf()
    expect(amount?.y === outcome?.y).toBe(device === 'desktop')
    expect(amount?.x === outcome?.x).toBe(device === 'phone')
  }
})

test('on a phone the contents open on demand, and close to the previous position or to the chosen section', async () => {
  const { page } = visitor
  await page.goto(`${address}#listPayments`)
  const before = await topOf('#listPayments h3')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  expect(await contents.isVisible()).toBe(false)
  await tapContents()
  expect(await contents.isVisible()).toBe(true)
  await picture('contents-light-phone')
  await contents.getByRole('link', { name: 'Close' }).click()
  expect(await contents.isVisible()).toBe(false)
  expect(await topOf('#listPayments h3')).toBe(before)
  await tapContents()
  await contents.getByRole('link', { name: 'Initiate a domestic payment' }).click()
  expect(await contents.isVisible()).toBe(false)
  expect(await topOf('#initiateDomesticPayment h3')).toBeLessThan(160)
})

test('by keyboard, the content can be skipped to, and every operation found in the contents', async () => {
  const { page } = visitor
  await page.setViewportSize(DESKTOP)
  await page.goto(address)
  await visitor.tabTo(page.getByRole('link', { name: 'Skip to the content' }))
  await page.keyboard.press('Enter')
  await visitor.tabTo(page.getByRole('link', { name: 'OpenAPI document' }))
  await page.goto(address)
  const links = page.getByRole('navigation').getByRole('link')
  await visitor.tabTo(links.first())
  const operation = page.getByRole('navigation').getByRole('link', { name: 'Create a consent' })
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  await links.nth(addresses.indexOf('#createConsent') - 2).focus()
  await visitor.tabTo(operation)
  await page.keyboard.press('Enter')
  expect(await topOf('#createConsent h3')).toBeLessThan(160)
})

test('in print there is only the content, including collapsed parts', async () => {
  const { page } = visitor
  await page.goto(address)
  await page.locator('#issueToken summary').first().click()
  const code = page.locator('#issueToken pre').first()
  expect(await code.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await code.isVisible()).toBe(true)
  expect(await page.getByRole('navigation').isVisible()).toBe(false)
  expect(await page.getByRole('link', { name: 'Contents', exact: true }).isVisible()).toBe(false)
})
