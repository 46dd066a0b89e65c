/** Tests failing baskets: whatever fails or crashes, no payment stays in a basket at its bank. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextBankDay } from '../../../countries/bank-days.ts'
import { getOpenTasks } from '../../../operators/resolve-task.ts'
import { nordicBank } from '../../../testing/banks/nordic-banks.ts'
import { openBrowser } from '../../../testing/browser/bank-user.ts'
import { passTime } from '../../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../../testing/payments/approval-driver.ts'
import { disablePaymentPolling } from '../../../testing/payments/settle-payments.ts'

const bank = nordicBank('VSKYNO22')
const BUSY = { status: 400, failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' }

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
beforeEach(async () => {
  await approver.control.clearFaults()
  await disablePaymentPolling(gateway)
})
afterAll(() => gateway.close())

async function injectFault(operation: string, effect: string, more: object = {}): Promise<void> {
  await approver.control.postControl('/faults', { bank: bank.bic, operation, effect, times: 1, ...more })
}

/** The payments can be signed again. */
async function expectFree(ids: readonly string[]): Promise<void> {
  expect((await approver.approve(bank, ids)).sca).toMatchObject({ type: 'redirect' })
}

describe('a basket that ends unsigned', () => {
  it.each([
    ['reject', 'REJECTED'],
    ['cancel', 'CANCELLED'],
  ] as const)('by %s is deleted, and its payments can be signed again', async (decision, status) => {
    const ids = await approver.order(bank, 2)
    const approval = await approver.approve(bank, ids)
    await approval.visit({ decision })
    expect(await approver.read(bank, approval.id)).toEqual({ status, results: [status, status] })
    expect([await approver.tiedUp(ids), await approver.statuses(ids)]).toEqual([0, ['Unsigned', 'Unsigned']])
    await expectFree(ids.slice(1))
    await expectFree(ids.slice(0, 1))
  })

  it('because a newer approval replaces it does not affect the newer one', async () => {
    const ids = await approver.order(bank, 3)
    const older = await approver.approve(bank, ids)
    const newer = await approver.approve(bank, ids.slice(0, 2))
    expect(await approver.read(bank, older.id)).toMatchObject({ status: 'CANCELLED' })
    expect(await approver.tiedUp(ids)).toBe(2)
    expect(await newer.visit()).toBe('success')
  })

  it('is deleted by the sweep when the bank did not delete it at once', async () => {
    const ids = await approver.order(bank, 2)
    const approval = await approver.approve(bank, ids)
    await injectFault('deleteSigningBasket', 'status', { status: 503 })
    await approval.visit({ decision: 'cancel' })
    expect(await approver.tiedUp(ids)).toBe(2)
    await passTime(gateway, 'PT1M')
    expect(await approver.tiedUp(ids)).toBe(0)
  })

  it('because it expired is deleted as soon as the bank permits', async () => {
    const ids = await approver.order(bank, 2)
    const { id, url } = await approver.approve(bank, ids)
    const browser = openBrowser()
    await browser.get(url)
    await browser.get(await browser.post(url, {}))
    await expect(approver.approve(bank, ids.slice(0, 1))).rejects.toMatchObject(BUSY)
    // The bank may hold its own session slightly longer than we do; a minute later it is called again.
    await passTime(gateway, 'PT12M')
    await passTime(gateway, 'PT1M')
    expect(await approver.read(bank, id)).toMatchObject({ status: 'CANCELLED' })
    expect(await approver.tiedUp(ids)).toBe(0)
    await expectFree(ids)
  })

  it('that the bank does not delete yet blocks its payments for a moment only', async () => {
    const ids = await approver.order(bank, 2)
    const approval = await approver.approve(bank, ids)
    await injectFault('deleteSigningBasket', 'status', { status: 503, times: 2 })
    await approval.visit({ decision: 'cancel' })
    await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
    await expectFree(ids)
  })

  it('has its payments read few at a time, so that the bank answers other users meanwhile', async () => {
    const ids = await approver.order(bank, 12)
    const approval = await approver.approve(bank, ids)
    await injectFault('deleteSigningBasket', 'status', { status: 503, times: 2 })
    await approval.visit({ decision: 'cancel' })
    await injectFault('getPaymentStatus', 'slow', { milliseconds: 200, times: 1_000 })
    const { bankCallLog, database } = gateway.context
    await bankCallLog.flush()
    await database.pool.query('delete from bank_calls')
    await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
    await bankCallLog.flush()
    const { rows } = await database.pool.query(
      `with reads as (select at, at + (milliseconds - 50) * interval '1 millisecond' as until from bank_calls
         where payment_id = any($1::uuid[]) and operation = 'getPaymentStatus')
       select count(*)::int as reads, max((select count(*)::int from reads o where o.at <= r.at and o.until > r.at)) as "atOnce"
       from reads r`,
      [ids],
    )
    expect(rows[0].reads).toBe(ids.length)
    expect(rows[0].atOnce).toBeLessThanOrEqual(8)
  })
})

it('orders that expired at the bank are resubmitted, and are in the basket under their new ids', async () => {
  const ids = await approver.order(bank, 2)
  const before = await approver.bankIds(ids)
  const forgets = ['getPaymentStatus', 'cancelPayment']
  await Promise.all(forgets.map((operation) => injectFault(operation, 'status', { status: 404, times: 1_000 })))
  // Once to find that they are gone, and once long enough afterwards.
  await pollNow(ids)
  await passTime(gateway, 'PT10M')
  const approval = await approver.approve(bank, ids)
  await approver.control.clearFaults()
  expect((await approver.bankIds(ids)).filter((id) => before.includes(id))).toEqual([])
  expect(await approver.tiedUp(ids)).toBe(2)
  expect(await approval.visit()).toBe('success')
  expect(await approver.read(bank, approval.id)).toMatchObject({ results: ['ACCEPTED', 'ACCEPTED'] })
})

/** Polls payments as a worker would. */
async function pollNow(ids: readonly string[]): Promise<void> {
  const { clock, database } = gateway.context
  await database.pool.query('update payments set poll_at = $2 where id = any($1)', [ids, clock.now().toString()])
  await gateway.sweep()
}

describe('a basket with an unknown outcome', () => {
  it('whose response was lost blocks its payments only as long as the bank holds it', async () => {
    const ids = await approver.order(bank, 2, await dueLater())
    await injectFault('createSigningBasket', 'drop-connection')
    await expect(approver.approve(bank, ids)).rejects.toMatchObject({ status: 503 })
    expect(await approver.tiedUp(ids)).toBe(2)
    expect(await lostBaskets(ids)).toEqual([ids[0]])
    await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
    await untilTheBankForgets(ids)
    await expectFree(ids)
  })

  it('that the bank never created does not block its payments', async () => {
    const ids = await approver.order(bank, 2)
    await injectFault('createSigningBasket', 'drop-request')
    await expect(approver.approve(bank, ids)).rejects.toMatchObject({ status: 503 })
    expect(await (await approver.approve(bank, ids)).visit()).toBe('success')
    expect(await approver.authorised(ids)).toMatchObject([{ subject: 'basket' }])
  })

  it('whose requesting process crashed blocks its payments no longer than the bank holds it', async () => {
    const ids = await approver.order(bank, 2, await dueLater())
    const { id } = await approver.approve(bank, ids)
    await forgetApproval(id)
    await gateway.context.database.pool.query(
      "update approval_baskets set state = 'in-flight', bank_basket_id = null where approval_id = $1",
      [id],
    )
    await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
    await passTime(gateway, 'PT2M')
    expect(await lostBaskets(ids)).toEqual([ids[0]])
    await expect(approver.approve(bank, ids)).rejects.toMatchObject(BUSY)
    await untilTheBankForgets(ids)
    await expectFree(ids)
  })

  it('whose approval was never stored is deleted by the sweep', async () => {
    const ids = await approver.order(bank, 2)
    await forgetApproval((await approver.approve(bank, ids)).id)
    expect(await approver.tiedUp(ids)).toBe(2)
    await passTime(gateway, 'PT2M')
    expect(await approver.tiedUp(ids)).toBe(0)
  })

  /** The payments in the detail of the operator task. */
  async function lostBaskets(ids: readonly string[]): Promise<readonly string[]> {
    const tasks = await getOpenTasks(gateway.context)
    return tasks.flatMap(({ kind, subjectId }) => (kind === 'LostBasket' && ids.includes(subjectId) ? [subjectId] : []))
  }

  async function dueLater() {
    const dueDate = nextBankDay(['NO'], gateway.context.clock.today('Europe/Oslo').add({ days: 5 }))
    return { dueDate: dueDate.toString() }
  }

  /** Users sign no basket on the next day. */
  async function untilTheBankForgets(ids: readonly string[]): Promise<void> {
    await passTime(gateway, 'P1D')
    expect(await approver.tiedUp(ids)).toBe(0)
  }

  /** As if the process had crashed before it was stored. */
  async function forgetApproval(id: string): Promise<void> {
    const { pool } = gateway.context.database
    await pool.query(
      'delete from sca_steps where sca_session_id in (select id from sca_sessions where subject_id = $1)',
      [id],
    )
    await pool.query('delete from sca_sessions where subject_id = $1', [id])
    await pool.query('delete from approval_payments where approval_id = $1', [id])
    await pool.query('delete from approvals where id = $1', [id])
  }
})
