/** Sets up onboarding journeys: a gateway, an identity provider, a partner's website and browsers. */
import type { Browser } from 'playwright-core'
import { openOnboardingDriver } from '../../onboarding/testing/onboarding-driver.ts'
import { type BrowserUser, type BrowserUserOptions, openBrowserUser, sharedChromium } from '../browser/browser-user.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../browser/callback-receiver.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { type IdentityProviderFixture, startGatewayWithIdentity } from './identity-provider-fixture.ts'

export type OnboardingFixture = {
  readonly gateway: TestGateway
  readonly identity: IdentityProviderFixture
  readonly partner: CallbackReceiver
  readonly onboarder: ReturnType<typeof openOnboardingDriver>
  visitor(options?: BrowserUserOptions): Promise<BrowserUser>
  /** Closes all browsers; returns their errors. */
  closeUsers(): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openOnboardingFixture(): Promise<OnboardingFixture> {
  const [both, partner, browser] = await Promise.all([
    startGatewayWithIdentity(),
    openCallbackReceiver(),
    sharedChromium(),
  ])
  const { gateway, identity } = both
  const visitors: BrowserUser[] = []
  return {
    gateway,
    identity,
    partner,
    onboarder: openOnboardingDriver(gateway),
    visitor: async (options = {}) => await addBrowserUser(browser, visitors, options),
    closeUsers: async () => {
      const leaving = visitors.splice(0)
      await Promise.all(leaving.map(({ close }) => close()))
      return leaving.flatMap(({ complaints }) => complaints)
    },
    close: async () => {
      await partner.close()
      await both.close()
    },
  }
}

async function addBrowserUser(
  browser: Browser,
  visitors: BrowserUser[],
  options: BrowserUserOptions,
): Promise<BrowserUser> {
  const visitor = await openBrowserUser(browser, options)
  visitors.push(visitor)
  return visitor
}

export async function waitForHeading({ page }: BrowserUser, name: string): Promise<void> {
  await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
}

/** Selects a person at the sandbox's identity provider, and signs or identifies as that person. */
export async function decideAtProvider(
  { page }: BrowserUser,
  name: string,
  button: 'Sign' | 'Identify' | 'Decline',
): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(name) }).check()
  await page.getByRole('button', { name: button, exact: true }).click()
}
