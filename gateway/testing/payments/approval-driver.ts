/** Drives approvals at sandbox banks as a partner and its users, and reads their state at the banks. */
import type { ApprovalRequest } from '../../../contract/approvals.ts'
import type { Sca } from '../../../contract/sca.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import type { Clock } from '../../platform/clock.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../banks/sandbox-bank-control.ts'
import { openBrowser, type Visit, visitBank } from '../browser/bank-user.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from './payment-driver.ts'
import { CALLBACK } from './sample-payments.ts'

export type StartedApproval = {
  readonly id: string
  readonly sca: Sca | undefined
  /** The user's link; empty without one. */
  readonly url: string
  /** Takes the user through the bank; returns the callback URL. */
  visit(visit?: Visit): Promise<string | null>
}

/** Operations; the default user is the one who initiates payments. */
export type ApprovalDriver = {
  readonly payer: PaymentDriver
  readonly control: SandboxBankControl
  /**
   * Initiates payments with different amounts, because some banks reject the second of two equal ones. They are due on
   * a later day: payments due today settle some seconds after signing, possibly while a slow test still reads them.
   */
  order(bank: NordicBank, count: number, changes?: object): Promise<string[]>
  approve(
    bank: NordicBank,
    payments: readonly string[],
    requested?: Partial<ApprovalRequest> & { readonly userId?: string },
  ): Promise<StartedApproval>
  /** Signs so many authorisations in sequence behind one link; returns the `status` of the return URL, or none yet. */
  signChain(url: string, userId: string, count: number): Promise<string | null>
  read(bank: NordicBank, approvalId: string): Promise<{ status: string; results: readonly string[]; sca?: Sca }>
  /** The status reason of each payment, or its status without a reason. */
  statuses(ids: readonly string[]): Promise<readonly string[]>
  bankIds(ids: readonly string[]): Promise<readonly string[]>
  /** Number of the payments that are in a basket at the bank. */
  tiedUp(ids: readonly string[]): Promise<number>
  /** The authorisations of these payments at the bank, in order: of baskets and of single payments. */
  authorised(ids: readonly string[]): Promise<readonly { id: string; subject: string; scaStatus: string }[]>
}

export function openApprovalDriver(gateway: TestGateway): ApprovalDriver {
  const { client, context } = gateway
  const { pool } = context.database
  const payer = openPaymentDriver(gateway)
  let whole = 100
  const bankIds = async (ids: readonly string[]) => {
    const { rows } = await pool.query('select id, bank_payment_id from payments where id = any($1)', [ids])
    return ids.map((id): string => rows.find((row) => row.id === id)?.bank_payment_id ?? '')
  }
  return {
    payer,
    control: openSandboxBankControl(gateway.bank),
    order: async (bank, count, changes = {}) => {
      const ids: string[] = []
      for (let number = 0; number < count; number += 1) {
        whole += 1
        const amount = { amount: `${whole}.00`, currency: bank.currency }
        ids.push((await payer.order(bank, { amount, dueDate: laterBankDay(context.clock), ...changes })).paymentId)
      }
      return ids
    },
    approve: async (bank, payments, { userId = bank.users[0], ...requested } = {}) => {
      const body = { payments: [...payments], callbackUrl: CALLBACK, ...requested }
      const { id, sca } = await client.approvePayments({ ...(await payer.consentOf(bank, userId)), body })
      const url = sca?.type === 'redirect' ? sca.url : ''
      const visit = async (changes: Visit = {}) =>
        (await visitBank(url, { userId, ...changes })).searchParams.get('status')
      return { id, sca, url, visit }
    },
    signChain,
    read: async (bank, approvalId) => {
      const params = { approvalId }
      const {
        status,
        payments = [],
        sca,
      } = await client.getPaymentApproval({
        ...(await payer.consentOf(bank)),
        params,
      })
      return { status, results: payments.map(({ result }) => result), ...(sca && { sca }) }
    },
    statuses: async (ids) => {
      const shown = await Promise.all(ids.map((paymentId) => client.getPaymentStatus({ params: { paymentId } })))
      return shown.map(({ status, statusReason }) => statusReason ?? status)
    },
    bankIds,
    tiedUp: async (ids) => {
      const { rows } = await pool.query(
        'select id from sandbox_bank.payments where id = any($1) and basket_id is not null',
        [await bankIds(ids)],
      )
      return rows.length
    },
    authorised: async (ids) => {
      const { rows } = await pool.query(
        `select id, subject, sca_status as "scaStatus" from sandbox_bank.authorisations a where a.resource_id = any($1)
         or a.resource_id in (select basket_id from sandbox_bank.payments where id = any($1)) order by a.position`,
        [await bankIds(ids)],
      )
      return rows
    },
  }
}

/** Signs one authorisation after another, each on the bank's page to which the previous one redirects. */
async function signChain(url: string, userId: string, count: number): Promise<string | null> {
  const browser = openBrowser()
  await browser.get(url)
  let openSandboxBankControl = await browser.post(url, {})
  for (let number = 1; ; number += 1) {
    await browser.get(openSandboxBankControl)
    await browser.post(openSandboxBankControl, { userId })
    const back = await browser.follow(await browser.post(openSandboxBankControl, { decision: 'approve' }))
    if (number === count) {
      return back.searchParams.get('status')
    }
    openSandboxBankControl = await browser.post(`${back.href}/next`, {})
  }
}

/** At all banks. */
function laterBankDay(clock: Pick<Clock, 'today'>): string {
  return nextBankDay(['NO', 'SE', 'DK', 'FI'], clock.today('Europe/Helsinki').add({ days: 5 })).toString()
}
