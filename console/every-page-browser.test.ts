/** Tests every page of the route list in a browser: WCAG by axe-core, contrast and layout, light and dark, phone and desktop. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations } from '../gateway/testing/browser/axe-violations.ts'
import { openBrowserUser, startChromium } from '../gateway/testing/browser/browser-user.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../gateway/testing/webhooks/enqueue-status-change.ts'

/** What is downloaded, not shown. */
const FILE = /\.\w+$|\/documents\/:documentId$/
const DESKTOP = { width: 1280, height: 800 }
const TIMEOUT_MILLISECONDS = 240_000

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), startChromium()])
})
afterAll(async () => {
  await browser.close()
  await gateway.close()
})

test('has no violations, and fits phone and desktop', { timeout: TIMEOUT_MILLISECONDS }, async () => {
  const ids = await createConsoleSubjects(gateway, await demoPartnerId(gateway))
  const pages = routesOfConsole(gateway).filter(
    ({ method, path, isLive }) => method === 'GET' && isLive !== true && !FILE.test(path),
  )
  const user = await openBrowserUser(browser)
  await user.page.goto(`${gateway.url}/console/sign-in`)
  await user.page.getByRole('button', { name: 'Astrid Lie' }).click()
  const violations: string[] = []
  for (const { path } of pages) {
    const place = path.replaceAll(/:(\w+)/g, (_parameter, name: string) => ids[name] ?? '')
    const response = await user.page.goto(`${gateway.url}${place}`)
    expect(response?.status(), path).toBe(200)
    await user.look(path)
    await user.page.setViewportSize(DESKTOP)
    violations.push(...(await axeViolations(user.page)).map((violation) => `${path}, desktop: ${violation}`))
  }
  await user.close()
  expect([...user.complaints, ...violations]).toEqual([])
})
