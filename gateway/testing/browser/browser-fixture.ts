/** Sets up a whole gateway, a partner's website and a browser for journeys, with the steps that journeys share. */
import type { Browser } from 'playwright-core'
import type { NordicBank } from '../banks/nordic-banks.ts'
import { startWholeGateway, type WholeGateway } from '../gateway/test-gateway.ts'
import { type Approver, openApprover } from '../payments/approval-driver.ts'
import { PSU } from '../payments/sample-payments.ts'
import { newVisitor, startChromium, type Visitor, type VisitorOptions } from './browser-user.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts'

/** Everything that a journey needs. */
export type Stage = {
  readonly gateway: WholeGateway
  readonly partner: CallbackReceiver
  readonly browser: Browser
  readonly approver: Approver
  /** A user with a browser of their own. */
  visitor(options?: VisitorOptions): Promise<Visitor>
  /** A consent that the user of the bank has yet to sign, and the link for that. */
  askConsent(bank: NordicBank): Promise<{ readonly id: string; readonly link: string }>
  /** The partner asks for an approval; answers it with the link. */
  askApproval(
    bank: NordicBank,
    payments: readonly string[],
    userId?: string,
  ): Promise<{ readonly id: string; readonly link: string }>
  /** The partner's website has the user back; answers the `status` that came along. */
  back(visitor: Visitor): Promise<string | null>
  /** Lets everybody go; answers what their browsers complained about. */
  letGo(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Opens it; a gateway of the tests begins on a morning on which every bank is at work. */
export async function openStage(): Promise<Stage> {
  const [gateway, partner, browser] = await Promise.all([startWholeGateway(), openCallbackReceiver(), startChromium()])
  const approver = openApprover(gateway)
  const callbackUrl = partner.url
  const visitors: Visitor[] = []
  return {
    gateway,
    partner,
    browser,
    approver,
    visitor: async (options = {}) => {
      const visitor = await newVisitor(browser, options)
      visitors.push(visitor)
      return visitor
    },
    askConsent: async ({ bic, organizationNumber, users: [userId] }) => {
      const body = { bic, organizationNumber, userId, callbackUrl }
      const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
      return { id, link: sca.type === 'redirect' ? sca.url : '' }
    },
    askApproval: async (bank, payments, userId = bank.users[0]) => {
      const { id, url } = await approver.approve(bank, payments, { callbackUrl, userId })
      return { id, link: url }
    },
    back: async ({ page }) => {
      await page.getByRole('heading', { name: 'Back in the ERP' }).waitFor()
      return new URL(page.url()).searchParams.get('status')
    },
    letGo: async () => {
      const leaving = visitors.splice(0)
      await Promise.all(leaving.map(({ close }) => close()))
      return leaving.flatMap(({ complaints }) => complaints)
    },
    close: async () => {
      await browser.close()
      await partner.close()
      await gateway.close()
    },
  }
}

/** Presses a button. */
export async function press({ page }: Visitor, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Everything on the page that is for reading. */
export async function textOf({ page }: Visitor): Promise<string> {
  return ((await page.locator('main').textContent()) ?? '').replaceAll('\u00a0', ' ')
}
