/** Tests every page in a browser: WCAG by axe-core and contrast, light and dark; layout from a phone to a large screen. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOfPartner } from '../gateway/config/console-roles.ts'
import { type BrowserUser, openBrowserUser, startChromium } from '../gateway/testing/browser/browser-user.ts'
import { DESKTOP, layoutErrors, OTHER_SIZES, PHONE } from '../gateway/testing/browser/layout-checks.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { fillConsoleLists } from '../gateway/testing/console/filled-lists.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../gateway/testing/webhooks/enqueue-status-change.ts'
import { isPermitted } from './access/console-role.ts'
import type { ConsoleRoute } from './console-route.ts'
import { listSandboxUsers } from './sign-in/sign-in-page.ts'

/** What is downloaded, not shown. */
const FILE = /\.\w+$|\/documents\/:documentId$/
const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** `docs-site-browser.test.ts` sees one of each kind on a desktop; long words are worst on a phone. All at length. */
const DOCUMENT_DEVICES = OTHER_SIZES.length > 0 ? [PHONE, DESKTOP] : [PHONE]
const TIMEOUT_MILLISECONDS = 480_000

const hrefsOf = (anchors: readonly { getAttribute(name: string): string | null }[]) =>
  anchors.map((anchor) => anchor.getAttribute('href') ?? '')

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), startChromium()])
})
afterAll(async () => {
  await browser.close()
  await gateway.close()
})

/** The landing page, where its links lead, and every page of the documentation. */
async function violationsOfPublicPages({ page, look }: BrowserUser): Promise<readonly string[]> {
  const violations: string[] = []
  await page.goto(gateway.url)
  await look('/')
  const links = await page.locator('main a').evaluateAll(hrefsOf)
  for (const path of [...links, '/favicon.ico', await page.locator('link[rel=icon]').getAttribute('href')]) {
    expect((await page.request.get(new URL(path ?? '', gateway.url).href)).status(), path ?? '').toBe(200)
  }
  await page.goto(`${gateway.url}/docs`)
  const documents = await page.locator('nav a[href^="/docs"]').evaluateAll(hrefsOf)
  for (const path of new Set(['/', ...documents.map((href) => href.replace(/#.*/, ''))])) {
    await page.goto(`${gateway.url}${path}`)
    violations.push(...(await layoutErrors(page, DOCUMENT_DEVICES)).map((fault) => `${path}, ${fault}`))
  }
  return violations
}

/** What users of a partner see of the same pages, each as the first role that may: lists of their partner, with their own actions. */
async function violationsOfPartnerPages(
  pages: readonly ConsoleRoute[],
  ids: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const violations: string[] = []
  const seen = new Set<string>()
  for (const { role, name } of (await listSandboxUsers(gateway.context)).filter((one) => isOfPartner(one.role))) {
    const { page, close } = await openBrowserUser(browser)
    await page.goto(`${gateway.url}/console/sign-in`)
    await page.getByRole('button', { name }).click()
    for (const { path, permission } of pages.filter((one) => !seen.has(one.path))) {
      if (isPermitted([role], permission)) {
        seen.add(path)
        const response = await page.goto(`${gateway.url}${withIds(path, ids)}`)
        expect([role, path, response?.status()]).toEqual([role, path, 200])
        violations.push(...(await layoutErrors(page)).map((fault) => `${path} as ${role}, ${fault}`))
      }
    }
    await close()
  }
  expect(seen.size).toBeGreaterThan(20)
  return violations
}

const withIds = (path: string, ids: Readonly<Record<string, string>>) =>
  path.replaceAll(/:(\w+)/g, (_parameter, name: string) => ids[name] ?? '')

test('has no violations, fits phones and screens with long lists, and links to pages that exist', {
  timeout: TIMEOUT_MILLISECONDS,
}, async () => {
  const ids = await createConsoleSubjects(gateway, await demoPartnerId(gateway))
  await fillConsoleLists(gateway)
  const pages = routesOfConsole(gateway).filter(
    ({ method, path, isLive }) => method === 'GET' && isLive !== true && !FILE.test(path),
  )
  const user = await openBrowserUser(browser, { everyPage: true })
  await user.page.goto(`${gateway.url}/console/sign-in`)
  await user.page.getByRole('button', { name: 'Astrid Lie' }).click()
  const violations: string[] = []
  const links = new Map<string, string>()
  for (const { path } of pages) {
    const response = await user.page.goto(`${gateway.url}${withIds(path, ids)}`)
    expect(response?.status(), path).toBe(200)
    await user.look(path)
    for (const href of await user.page.locator('a[href^="/console"]').evaluateAll(hrefsOf)) {
      links.set(href.replaceAll(ID, ':id'), href)
    }
  }
  for (const href of links.values()) {
    const answer = await user.page.request.get(`${gateway.url}${href}`)
    expect([href, answer.status()]).toEqual([href, 200])
  }
  violations.push(...(await violationsOfPublicPages(user)))
  await user.close()
  violations.push(...(await violationsOfPartnerPages(pages, ids)))
  expect([...user.complaints, ...violations]).toEqual([])
})
