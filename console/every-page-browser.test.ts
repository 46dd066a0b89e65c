/** Tests every page of the route list in a browser: WCAG by axe-core, contrast and layout, light and dark, phone and desktop. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserUser, startChromium } from '../gateway/testing/browser/browser-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { consoleRoutes } from './routes.ts'

/** Paths of files. Pages of one thing are looked at by the tests of their area, which have one. */
const IS_NO_LIST = /\.\w+$|:/
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
  const paths = consoleRoutes({ ...gateway.context, simulation: null })
    .filter(({ method, path }) => method === 'GET' && !IS_NO_LIST.test(path))
    .map(({ path }) => path)
  expect(paths).toContain('/console')
  const user = await openBrowserUser(browser)
  await user.page.goto(`${gateway.url}/console/sign-in`)
  await user.page.getByRole('button', { name: 'Astrid Lie' }).click()
  for (const path of paths) {
    const response = await user.page.goto(`${gateway.url}${path}`)
    expect(response?.status(), path).toBe(200)
    await user.look(path)
  }
  await user.close()
  expect(user.complaints).toEqual([])
})
