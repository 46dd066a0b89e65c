/** Sets up what a journey through onboarding needs: a gateway, an identity provider, a partner's website, and browsers. */
import type { Browser } from 'playwright-core'
import { openOnboarder } from '../../onboarding/testing/onboarding-driver.ts'
import { newVisitor, startChromium, type Visitor, type VisitorOptions } from '../browser/browser-user.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../browser/callback-receiver.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'
import { type IdentityStage, startGatewayWithIdentity } from './identity-provider-fixture.ts'

/** Everything that such a journey needs. */
export type OnboardingStage = {
  readonly gateway: WholeGateway
  readonly identity: IdentityStage
  readonly partner: CallbackReceiver
  readonly onboarder: ReturnType<typeof openOnboarder>
  visitor(options?: VisitorOptions): Promise<Visitor>
  /** Lets everybody go; answers what their browsers complained about. */
  letGo(): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openOnboardingStage(): Promise<OnboardingStage> {
  const [both, partner, browser] = await Promise.all([
    startGatewayWithIdentity(),
    openCallbackReceiver(),
    startChromium(),
  ])
  const { gateway, identity } = both
  const visitors: Visitor[] = []
  return {
    gateway,
    identity,
    partner,
    onboarder: openOnboarder(gateway),
    visitor: async (options = {}) => await addVisitor(browser, visitors, options),
    letGo: async () => {
      const leaving = visitors.splice(0)
      await Promise.all(leaving.map(({ close }) => close()))
      return leaving.flatMap(({ complaints }) => complaints)
    },
    close: async () => {
      await browser.close()
      await partner.close()
      await both.close()
    },
  }
}

async function addVisitor(browser: Browser, visitors: Visitor[], options: VisitorOptions): Promise<Visitor> {
  const visitor = await newVisitor(browser, options)
  visitors.push(visitor)
  return visitor
}

/** Waits until the page of a heading is there. */
export async function seeHeading({ page }: Visitor, name: string): Promise<void> {
  await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
}

/** Chooses somebody at the sandbox's identity provider, and signs or identifies as that person. */
export async function beAtProvider(
  { page }: Visitor,
  name: string,
  button: 'Sign' | 'Identify' | 'Refuse',
): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(name) }).check()
  await page.getByRole('button', { name: button, exact: true }).click()
}
