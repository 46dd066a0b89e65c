/** Tests every page in a browser: WCAG by axe-core and contrast, light and dark; layout from a phone to a large screen. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONSOLE_ROLES, isOfPartner } from '../gateway/config/console-roles.ts'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../gateway/testing/browser/browser-user.ts'
import { checkPage } from '../gateway/testing/browser/evaluate-in-page.ts'
import { DESKTOP, layoutErrors, OTHER_SIZES, PHONE, TEXT_CHECK } from '../gateway/testing/browser/layout-checks.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs, signInChromium } from '../gateway/testing/console/console-user.ts'
import { fillConsoleLists } from '../gateway/testing/console/filled-lists.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../gateway/testing/webhooks/enqueue-status-change.ts'
import { isPermitted } from './access/console-role.ts'
import type { ConsoleRoute } from './console-route.ts'

/** What is downloaded, not shown. */
const FILE = /\.\w+$|\/documents\/:documentId$/
const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
const IS_AT_LENGTH = OTHER_SIZES.length > 0
/**
 * Elsewhere a desktop sees one of each kind: `docs-site-browser.test.ts` of the documents, and the operator's pages, with
 * more columns, of those of partners. Long words and actions are worst on a phone. All at length.
 */
const NARROW_DEVICES = IS_AT_LENGTH ? [PHONE, DESKTOP] : [PHONE]
/** Their pages are generated from the contract by one template, which `docs-site-browser.test.ts` sees. At length all are seen. */
const REFERENCE = '/docs/reference/'
const TIMEOUT_MILLISECONDS = 480_000

const hrefsOf = (anchors: readonly { getAttribute(name: string): string | null }[]) =>
  anchors.map((anchor) => anchor.getAttribute('href') ?? '')

/** Requests of Playwright take three times as long, and fail on a busy machine. */
async function statusOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const { body, status } = await fetch(url, { headers })
  await body?.cancel()
  return status
}

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
})
afterAll(async () => {
  await gateway.close()
})

/** The landing page, where its links lead, and the pages of the documentation. */
async function violationsOfPublicPages({ page, look }: BrowserUser): Promise<readonly string[]> {
  const violations: string[] = []
  await page.goto(gateway.url)
  await look('/')
  const links = await page.locator('main a').evaluateAll(hrefsOf)
  for (const path of [...links, '/favicon.ico', await page.locator('link[rel=icon]').getAttribute('href')]) {
    expect(await statusOf(new URL(path ?? '', gateway.url).href), path ?? '').toBe(200)
  }
  await page.goto(`${gateway.url}/docs`)
  const documents = await page.locator('nav a[href^="/docs"]').evaluateAll(hrefsOf)
  const paths = new Set(['/', ...documents.map((href) => href.replace(/#.*/, ''))])
  for (const path of IS_AT_LENGTH ? paths : ['/', '/docs']) {
    await page.goto(`${gateway.url}${path}`)
    violations.push(...(await layoutErrors(page, NARROW_DEVICES)).map((fault) => `${path}, ${fault}`))
  }
  const others = [...paths].filter((path) => !(IS_AT_LENGTH || path.startsWith(REFERENCE)))
  return [...violations, ...(await violationsOfDocuments(page, others))]
}

/** Lays out their texts in the frame of the document that a phone shows, which takes a third of the time of loading each. */
async function violationsOfDocuments(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const violations: string[] = []
  for (const path of paths) {
    const html = await (await fetch(`${gateway.url}${path}`)).text()
    const content = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? expect.fail(`${path} has no text`)
    await page.locator('main').evaluate((main, text) => Object.assign(main, { outerHTML: text }), content)
    violations.push(...(await checkPage(page, [TEXT_CHECK])).map((fault) => `${path}, ${fault}`))
  }
  return violations
}

/** The headings, labels and controls of a page, with their words. */
function partsOf(html: string): ReadonlySet<string> {
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(html) ?? []
  const parts = main.matchAll(
    /<(button|summary|label|legend|th|dt|h\d|svg|pre|select|input(?! type="hidden")|textarea)\b[^>]*>[^<]*/g,
  )
  const values = / (?:value|data-copy|aria-label|id|for|data-request)="[^"]*"/g
  return new Set([...parts].map(([part]) => part.replaceAll(values, '').replaceAll(/\d/g, '0')))
}

/**
 * What users of a partner see of the same pages, each as the first role that may: lists of their partner, with their own
 * actions. In a short run a browser lays out those with a part that the operator's page of that path has not.
 */
async function violationsOfPartnerPages(
  pages: readonly ConsoleRoute[],
  ids: Readonly<Record<string, string>>,
  partsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly string[]> {
  const violations: string[] = []
  const seen = new Set<string>()
  let laidOut = 0
  for (const role of CONSOLE_ROLES.filter(isOfPartner)) {
    const reader = await signInAs(gateway, role)
    const user = await openBrowserUser(browser)
    const { page, close } = user
    await signInChromium(user, gateway, role)
    for (const { path, permission } of pages.filter((one) => !seen.has(one.path))) {
      if (isPermitted([role], permission)) {
        seen.add(path)
        const { status, html } = await reader.open(withIds(path, ids))
        expect([role, path, status]).toEqual([role, path, 200])
        if (!IS_AT_LENGTH && partsOf(html).isSubsetOf(partsByPath.get(path) ?? new Set())) {
          continue
        }
        laidOut += 1
        await page.goto(`${gateway.url}${withIds(path, ids)}`)
        violations.push(...(await layoutErrors(page, NARROW_DEVICES)).map((fault) => `${path} as ${role}, ${fault}`))
      }
    }
    await close()
  }
  expect(seen.size).toBeGreaterThan(20)
  expect(laidOut).toBeGreaterThan(2)
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
  await signInChromium(user, gateway, 'operator-administrator')
  const violations: string[] = []
  const links = new Map<string, string>()
  const seen = new Set<string>()
  const partsByPath = new Map<string, ReadonlySet<string>>()
  for (const { path } of pages) {
    seen.add(withIds(path, ids))
    const response = await user.page.goto(`${gateway.url}${withIds(path, ids)}`)
    expect(response?.status(), path).toBe(200)
    partsByPath.set(path, partsOf((await response?.text()) ?? ''))
    await user.look(path)
    for (const href of await user.page.locator('a[href^="/console"]').evaluateAll(hrefsOf)) {
      links.set(href.replaceAll(ID, ':id'), href)
    }
  }
  const cookies = await user.page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  for (const href of [...links.values()].filter((one) => !seen.has(one))) {
    expect([href, await statusOf(`${gateway.url}${href}`, { cookie })]).toEqual([href, 200])
  }
  violations.push(...(await violationsOfPublicPages(user)))
  await user.close()
  violations.push(...(await violationsOfPartnerPages(pages, ids, partsByPath)))
  expect([...user.complaints, ...violations]).toEqual([])
})
