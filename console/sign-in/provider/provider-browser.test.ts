/** Tests signing in at an OpenID Connect provider in a browser, which applies the policy of the page to the redirects. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserUser, sharedChromium } from '../../../gateway/testing/browser/browser-user.ts'
import {
  type ConsoleProviderFixture,
  startGatewayWithConsoleProvider,
} from '../../../gateway/testing/identity/console-provider-fixture.ts'

let fixture: ConsoleProviderFixture
let browser: Browser
beforeAll(async () => {
  ;[fixture, browser] = await Promise.all([startGatewayWithConsoleProvider(), sharedChromium()])
})
afterAll(async () => {
  await fixture.close()
})

test('a user signs in at the provider, and one without a role gets a page that says so', async () => {
  const user = await openBrowserUser(browser, { album: 'console' })
  const { page } = user
  const signIn = async (groups: string) => {
    await page.goto(`${fixture.gateway.url}/console/sessions`)
    await user.look('sign-in-at-provider')
    await page.getByRole('button', { name: /^Sign in at 127/ }).click()
    await page.getByLabel('Separated by spaces').fill(groups)
    await page.getByRole('button', { name: 'Identify' }).click()
  }
  await signIn('cleaners')
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await user.look('sign-in-without-role')
  await signIn('havn-operators')
  await page.getByRole('heading', { name: 'Your sessions' }).waitFor()
  await user.close()
  expect(user.complaints).toEqual([])
})
