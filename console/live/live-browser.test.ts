/** Tests a live page in a browser: it shows what happens, and leaves focus and scrolling where they are. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserUser, sharedChromium } from '../../gateway/testing/browser/browser-user.ts'
import { signInChromium } from '../../gateway/testing/console/console-user.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
})
afterAll(async () => {
  await gateway.close()
})

test('a payment that changes is shown without loading the page again', async () => {
  const [id = ''] = await storePayments(gateway, 1)
  const user = await openBrowserUser(browser, { album: 'console' })
  const { page } = user
  await signInChromium(user, gateway, 'partner-finance')
  await page.goto(`${gateway.url}/console/payments/${id}`)
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
  await user.look('live-payment')
  await user.close()
  expect(user.complaints).toEqual([])
})
