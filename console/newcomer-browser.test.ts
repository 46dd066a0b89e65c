/** Tests a newcomer's path in a browser: from signing in to the first delivered webhook, by mouse. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserUser, sharedChromium } from '../gateway/testing/browser/browser-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'

const DESKTOP = { width: 1280, height: 800 }
const BUTTONS = [
  'Get a token',
  'Ask for a consent',
  'Accept it as the user',
  'Subscribe the webhook inbox',
  'Order a payment',
  'Sign it as the user',
]

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
})
afterAll(async () => {
  await gateway.close()
})

test('one click signs in, one for each step follows, and the first webhook appears', async () => {
  const user = await openBrowserUser(browser, { album: 'newcomer' })
  const { page } = user
  await page.setViewportSize(DESKTOP)
  await page.goto(`${gateway.url}/console`)
  await user.look('sign-in')
  await page.getByRole('button', { name: 'Daniel Vik' }).click()
  await user.look('first-steps')
  const signedIn = await page.locator('body').textContent()
  expect([signedIn?.includes('Daniel Vik'), signedIn?.includes('Demo partner')]).toEqual([true, true])
  for (const name of BUTTONS) {
    await page.getByRole('button', { name, exact: true }).click()
  }
  await page.locator('body').evaluate((body) => body.setAttribute('data-loaded-once', ''))
  await gateway.sweep()
  await page.locator('.steps li.done', { hasText: 'Receive the first event' }).waitFor()
  expect(await page.locator('body[data-loaded-once]').count()).toBe(1)
  expect(await page.locator('.steps li.done').count()).toBe(BUTTONS.length + 1)
  await user.look('first-steps-done')
  await page.getByRole('link', { name: 'See it in the webhook inbox' }).click()
  await page.getByText('Signature valid').first().waitFor()
  await user.look('webhook-inbox')
  await user.close()
  expect(user.complaints).toEqual([])
})
