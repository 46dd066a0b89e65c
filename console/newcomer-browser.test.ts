/** Tests a newcomer's path in a browser: from `npm start` to the first delivered webhook, by mouse. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserUser, startChromium } from '../gateway/testing/browser/browser-user.ts'
import { type HavnProcesses, havnProcesses } from '../gateway/testing/gateway/havn-processes.ts'

const DESKTOP = { width: 1280, height: 800 }
const BUTTONS = [
  'Get a token',
  'Ask for a consent',
  'Accept it as the user',
  'Subscribe the webhook inbox',
  'Order a payment',
  'Sign it as the user',
]

let havn: HavnProcesses
let browser: Browser
beforeAll(async () => {
  havn = await havnProcesses({})
  ;[browser] = await Promise.all([startChromium(), havn.start()])
})
afterAll(async () => {
  await browser.close()
  await havn.close()
})

test('one click signs in, one for each step follows, and the first webhook appears', async () => {
  const user = await openBrowserUser(browser, { album: 'newcomer' })
  const { page } = user
  await page.setViewportSize(DESKTOP)
  await page.goto(`${havn.url}/console`)
  await user.look('sign-in')
  await page.getByRole('button', { name: 'Daniel Vik' }).click()
  await user.look('first-steps')
  for (const name of BUTTONS) {
    await page.getByRole('button', { name, exact: true }).click()
  }
  await page.locator('body').evaluate((body) => body.setAttribute('data-loaded-once', ''))
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
