/** Plays a partner that has payments approved at banks of the sandbox, and looks at what the banks hold of that. */
import type { ApprovalAsked } from '../../../contract/approvals.ts'
import type { Sca } from '../../../contract/sca.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import type { Clock } from '../../platform/clock.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import { type AtBank, atBank } from '../banks/sandbox-bank-control.ts'
import { openBrowser, type Visit, visitBank } from '../browser/bank-user.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'
import { openPayer, type Payer } from './payment-driver.ts'
import { CALLBACK } from './sample-payments.ts'

/** An approval that was started. */
export type Started = {
  readonly id: string
  readonly sca: Sca | undefined
  /** The user's link; empty where there is none. */
  readonly url: string
  /** The user goes through the bank, and comes back with this. */
  visit(visit?: Visit): Promise<string | null>
}

/** What can be done; users are those who pay unless told otherwise. */
export type Approver = {
  readonly payer: Payer
  readonly control: AtBank
  /**
   * Orders payments of different sums: some banks refuse the second of two equal ones. They are due on a later day: what is
   * due today settles some seconds after it was signed, while a test on a busy machine still looks at it.
   */
  order(bank: NordicBank, count: number, changes?: object): Promise<string[]>
  approve(
    bank: NordicBank,
    payments: readonly string[],
    asked?: Partial<ApprovalAsked> & { readonly userId?: string },
  ): Promise<Started>
  /** Signs so many authorisations in turn behind one link, and comes back with the partner's `status`, or none yet. */
  signChain(url: string, userId: string, count: number): Promise<string | null>
  /** The approval as its partner reads it. */
  read(bank: NordicBank, approvalId: string): Promise<{ status: string; results: readonly string[]; sca?: Sca }>
  /** The reason of each payment's status where it has one, else the status. */
  statuses(ids: readonly string[]): Promise<readonly string[]>
  /** The bank's ids. */
  bankIds(ids: readonly string[]): Promise<readonly string[]>
  /** How many of the payments lie in a basket at the bank. */
  tiedUp(ids: readonly string[]): Promise<number>
  /** What was authorised for these payments at the bank, in order: baskets, and payments alone. */
  authorised(ids: readonly string[]): Promise<readonly { id: string; subject: string; scaStatus: string }[]>
}

/** Opens the approver of a whole gateway. */
export function openApprover(gateway: WholeGateway): Approver {
  const { client, context } = gateway
  const { pool } = context.database
  const payer = openPayer(gateway)
  let whole = 100
  const bankIds = async (ids: readonly string[]) => {
    const { rows } = await pool.query('select id, bank_payment_id from payments where id = any($1)', [ids])
    return ids.map((id): string => rows.find((row) => row.id === id)?.bank_payment_id ?? '')
  }
  return {
    payer,
    control: atBank(gateway.bank),
    order: async (bank, count, changes = {}) => {
      const ids: string[] = []
      for (let number = 0; number < count; number += 1) {
        whole += 1
        const amount = { amount: `${whole}.00`, currency: bank.currency }
        ids.push((await payer.order(bank, { amount, dueDate: laterBankDay(context.clock), ...changes })).paymentId)
      }
      return ids
    },
    approve: async (bank, payments, { userId = bank.users[0], ...asked } = {}) => {
      const body = { payments: [...payments], callbackUrl: CALLBACK, ...asked }
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

/** The user signs one authorisation after the other, each at the bank's page to which the one before leads. */
async function signChain(url: string, userId: string, count: number): Promise<string | null> {
  const browser = openBrowser()
  await browser.get(url)
  let atBank = await browser.post(url, {})
  for (let number = 1; ; number += 1) {
    await browser.get(atBank)
    await browser.post(atBank, { userId })
    const back = await browser.follow(await browser.post(atBank, { decision: 'approve' }))
    if (number === count) {
      return back.searchParams.get('status')
    }
    atBank = await browser.post(`${back.href}/next`, {})
  }
}

/** At all banks. */
function laterBankDay(clock: Pick<Clock, 'today'>): string {
  return nextBankDay(['NO', 'SE', 'DK', 'FI'], clock.today('Europe/Helsinki').add({ days: 5 })).toString()
}
