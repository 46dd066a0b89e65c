/** Sets up a gateway, a partner's website and a browser for journeys, with their common steps. */
import type { Browser } from 'playwright-core'
import type { NordicBank } from '../banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../payments/approval-driver.ts'
import { PSU } from '../payments/sample-payments.ts'
import { type BrowserUser, type BrowserUserOptions, openBrowserUser, sharedChromium } from './browser-user.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts'

export type BrowserFixture = {
  readonly gateway: TestGateway
  readonly partner: CallbackReceiver
  readonly browser: Browser
  readonly approver: ApprovalDriver
  /** A user with a separate browser. */
  visitor(options?: BrowserUserOptions): Promise<BrowserUser>
  createConsentLink(bank: NordicBank): Promise<{ readonly id: string; readonly link: string }>
  createApprovalLink(
    bank: NordicBank,
    payments: readonly string[],
    userId?: string,
  ): Promise<{ readonly id: string; readonly link: string }>
  /** Waits for the user's return to the partner's website; returns the `status` parameter. */
  back(visitor: BrowserUser): Promise<string | null>
  /** Closes all browsers; returns their errors. */
  closeUsers(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Starts everything; the gateway's clock starts on a morning on which all banks are open. */
export async function openBrowserFixture(): Promise<BrowserFixture> {
  const [gateway, partner, browser] = await Promise.all([startTestGateway(), openCallbackReceiver(), sharedChromium()])
  const approver = openApprovalDriver(gateway)
  const callbackUrl = partner.url
  const visitors: BrowserUser[] = []
  return {
    gateway,
    partner,
    browser,
    approver,
    visitor: async (options = {}) => {
      const visitor = await openBrowserUser(browser, options)
      visitors.push(visitor)
      return visitor
    },
    createConsentLink: async ({ bic, organizationNumber, users: [userId] }) => {
      const body = { bic, organizationNumber, userId, callbackUrl }
      const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
      return { id, link: sca.type === 'redirect' ? sca.url : '' }
    },
    createApprovalLink: async (bank, payments, userId = bank.users[0]) => {
      const { id, url } = await approver.approve(bank, payments, { callbackUrl, userId })
      return { id, link: url }
    },
    back: async ({ page }) => {
      await page.getByRole('heading', { name: 'Back in the ERP' }).waitFor()
      return new URL(page.url()).searchParams.get('status')
    },
    closeUsers: async () => {
      const leaving = visitors.splice(0)
      await Promise.all(leaving.map(({ close }) => close()))
      return leaving.flatMap(({ complaints }) => complaints)
    },
    close: async () => {
      await partner.close()
      await gateway.close()
    },
  }
}

export async function press({ page }: BrowserUser, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

export async function textOf({ page }: BrowserUser): Promise<string> {
  return ((await page.locator('main').textContent()) ?? '').replaceAll('\u00a0', ' ')
}
