/** Tests the console's frame in a browser: signing in, the layout on phone and desktop, keyboard, sessions, live pages. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ConsoleRole } from '../gateway/config/console-roles.ts'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../gateway/testing/browser/browser-user.ts'
import { signInAs, signInChromium } from '../gateway/testing/console/console-user.ts'
import { storePayments } from '../gateway/testing/console/stored-payments.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'

const DESKTOP = { width: 1280, height: 800 }
/** The widths that a page must fit, from a small phone to a large screen. */
const WIDTHS = [360, 768, 1024, 1920]

let gateway: TestGateway
let browser: Browser
const users: BrowserUser[] = []
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
})
afterEach(async () => {
  const leaving = users.splice(0)
  await Promise.all(leaving.map(({ close }) => close()))
  expect(leaving.flatMap(({ complaints }) => complaints)).toEqual([])
})
afterAll(async () => {
  await gateway.close()
})

async function openUser(): Promise<BrowserUser> {
  const user = await openBrowserUser(browser, { album: 'console' })
  users.push(user)
  return user
}

async function signIn(role: ConsoleRole, path = '/console'): Promise<BrowserUser> {
  const user = await openUser()
  await signInChromium(user, gateway, role)
  await user.page.goto(`${gateway.url}${path}`)
  return user
}

/** A phone folds the filters. */
const unfoldFilters = (page: Page) => page.getByText('Filters', { exact: true }).click()
/** In the header, which is in sight wherever the page is scrolled to. */
const accountMenu = (page: Page) => page.locator('.account summary')
const headingOf = ({ page }: BrowserUser) => page.getByRole('heading', { level: 1 }).textContent()

test('a visitor is sent to sign in, and then to the page they asked for', async () => {
  const user = await openUser()
  await user.page.goto(`${gateway.url}/console/sessions`)
  await user.page.getByRole('button', { name: 'Astrid Lie' }).click()
  expect(await headingOf(user)).toBe('Your sessions')
  expect(new URL(user.page.url()).pathname).toBe('/console/sessions')
})

test('fits every width from a small phone to a large screen; a low window shows the link of the page, and what is above the first ones', async () => {
  const { page } = await signIn('operator-administrator')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const scrolled = await page.locator('html').evaluate((root) => root.scrollWidth)
    expect(scrolled, `${width}`).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 1280, height: 600 })
  const isInSight = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: 0, height: 0 }
    const header = await page.locator('.top').boundingBox()
    return y >= (header?.height ?? 0) - 1 && y + height <= 600
  }
  for (const path of ['/console', '/console/payments', '/console/sandbox', '/console/banks', '/console/sessions']) {
    await page.goto(`${gateway.url}${path}`)
    expect([path, await isInSight('#navigation [aria-current]')]).toEqual([path, true])
  }
  await page.goto(`${gateway.url}/console`)
  expect(await isInSight('#navigation .badge >> nth=0')).toBe(true)
})

test('on a phone the navigation opens on demand; on a desktop it is at the side', async () => {
  const { page } = await signIn('operator-administrator')
  const navigation = page.getByRole('navigation', { name: 'Console' })
  expect(await navigation.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Menu' }).click()
  expect(await navigation.isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Close' }).click()
  expect(await navigation.isVisible()).toBe(false)
  await page.setViewportSize(DESKTOP)
  expect(await navigation.isVisible()).toBe(true)
  expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page')
})

test('by keyboard the content can be skipped to, and every link and button reached', async () => {
  const user = await signIn('operator-administrator')
  await user.page.setViewportSize(DESKTOP)
  await user.page.goto(`${gateway.url}/console`)
  await user.tabTo(user.page.getByRole('link', { name: 'Skip to the content' }))
  await user.tabTo(user.page.getByRole('link', { name: 'Your sessions' }))
  await user.page.reload()
  await user.tabTo(accountMenu(user.page))
  await user.page.keyboard.press('Enter')
  await user.tabTo(user.page.getByRole('button', { name: 'Sign out' }))
  await user.page.keyboard.press('Enter')
  await user.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
})

test('a form that is sent after the session has ended is sent again after signing in', async () => {
  await signInAs(gateway, 'operator')
  const user = await signIn('operator', '/console/sessions')
  const before = await user.page.getByRole('button', { name: /^End/ }).count()
  await gateway.context.database.pool.query(
    `update console_sessions set last_used_at = last_used_at - interval '1 hour' where created_at = (select max(created_at) from console_sessions where name = 'Bjørn Moe')`,
  )
  await user.page.getByRole('button', { name: 'End all other sessions' }).click()
  await user.look('sign-in-again')
  expect(await user.page.getByRole('alert').textContent()).toContain('not carried out')
  await user.page.getByRole('button', { name: 'Bjørn Moe' }).click()
  await user.look('send-again')
  await user.page.getByRole('button', { name: 'Send again' }).click()
  expect(await headingOf(user)).toBe('Your sessions')
  expect(before).toBeGreaterThan(0)
  expect(await user.page.getByRole('button', { name: /^End/ }).count()).toBe(0)
})

test('an unknown page and a form that is out of date are explained', async () => {
  const user = await signIn('operator-reader', '/console/nothing')
  await user.look('not-found')
  expect(await headingOf(user)).toBe('Not found')
  await user.page.goto(`${gateway.url}/console/sessions`)
  await user.page
    .locator('input[name=formToken]')
    .first()
    .evaluate((field) => field.setAttribute('value', 'stale'))
  await user.page.setViewportSize({ width: 1280, height: 900 })
  await accountMenu(user.page).click()
  await user.page.getByRole('button', { name: 'Sign out' }).click()
  await user.look('stale-form')
  expect(await headingOf(user)).toBe('This form is out of date')
})

test('the audit log is filtered in its URL, exported, and explains a filter that makes no sense', async () => {
  const { page, look } = await signIn('operator-reader', '/console/audit')
  expect(await page.getByText('signed in to the console').count()).toBeGreaterThan(0)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copyButton = page.locator('.id .copy').first()
  const label = await copyButton.textContent()
  await page.clock.install()
  for (let click = 0; click < 2; click += 1) {
    await copyButton.click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await page.locator('.id code').first().getAttribute('title'),
    )
    expect(await copyButton.textContent()).toBe('Copied')
  }
  await page.clock.runFor(10_000)
  expect(await copyButton.textContent()).toBe(label)
  await unfoldFilters(page)
  await page.getByLabel('Id of the subject').fill('nothing')
  await page.getByRole('button', { name: 'Filter' }).click()
  expect(new URL(page.url()).searchParams.get('subject')).toBe('nothing')
  await look('audit-log-empty')
  expect(await page.getByText('No entry matches these filters.').isVisible()).toBe(true)
  await page.goto(`${gateway.url}/console/audit?from=2026-02-30`)
  await look('audit-log-wrong-filter')
  expect(await page.getByText('Not a date').isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Remove filters' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await download).suggestedFilename()).toBe('audit-log.csv')
})

test('a subscription is created and tested, with its errors next to their fields', async () => {
  const user = await signIn('partner-developer', '/console/webhooks')
  await user.look('webhooks-empty')
  await user.page.getByLabel('URL').fill('https://user@partner.example/')
  await user.page.getByRole('button', { name: 'Create a subscription' }).click()
  await user.look('webhooks-rejected')
  await user.page.getByLabel('URL').fill('https://127.0.0.1:9/hooks')
  await user.page.getByRole('button', { name: 'Create a subscription' }).click()
  await user.look('webhook-created')
  await user.page.getByRole('button', { name: 'Send a test' }).click()
  expect(await user.page.getByRole('status').textContent()).toContain('The test did not succeed')
  await user.look('webhook-tested')
})

test('a payment that changes is shown without loading the page again', async () => {
  const [id = ''] = await storePayments(gateway, 1)
  const { page, look } = await signIn('partner-finance', `/console/payments/${id}`)
  await page.getByText('Unsigned').first().waitFor()
  const menu = page.getByRole('link', { name: 'Menu' })
  await menu.focus()
  await page.locator('body').evaluate((body) => body.setAttribute('data-loaded-once', ''))
  await gateway.context.database.pool.query(
    `update payments set status = 'Completed', changed_at = changed_at + interval '1 hour' where id = $1`,
    [id],
  )
  await page.getByText('Completed').first().waitFor()
  expect(await page.locator('body[data-loaded-once]').count()).toBe(1)
  expect(await menu.evaluate((link) => link.matches(':focus'))).toBe(true)
  await look('live-payment')
})
