/** Guarantees about payrolls that are to be signed: what is missing is said, and nobody signs less than was ordered. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ordersOfPayroll } from '../../orders/payroll/list-payroll-orders.ts'
import { settleAsNeverTaken } from '../../payments/settle-unknown-outcome.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { atBank } from '../../testing/banks/sandbox-bank-control.ts'
import {
  ONE_BY_ONE,
  type OneByOne,
  openPlacingStage,
  type PlacingStage,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import type { Payroll } from '../payroll.ts'
import { requirePlaced } from '../require-placed.ts'

const WAYS: readonly OneByOne[] = ['baskets', 'chain']
const THREE = ['1001.01', '2002.02', '3003.03']

let stage: PlacingStage
beforeAll(async () => {
  stage = await openPlacingStage()
})
afterAll(() => stage.gateway.close())
beforeEach(async () => {
  await stage.heal()
  await stage.sql('update payments set poll_at = null')
  await stage.gateway.client.moveSandboxClock({ body: { reset: true } })
})

async function requireSignable(payroll: Payroll): Promise<void> {
  const caller = await stage.callerAt(payroll.way === 'chain' ? 'chain' : 'baskets')
  await requirePlaced(stage.gateway.context, caller, (await stage.kept(payroll)).payroll, {
    path: '.payrollId',
    waitUntil: 0,
  })
}

/** One order ends at the bank by itself, and is read there. */
async function loseOne(payroll: Payroll): Promise<void> {
  const [first] = (await stage.kept(payroll)).orders
  await atBank(stage.gateway.bank).tell(`/payments/${first?.bankPaymentId}/status`, { transactionStatus: 'RJCT' })
  await stage.sql("update payments set poll_at = '2020-01-01' where id = $1", [first?.id])
  await stage.gateway.sweep()
}

describe.each(WAYS)('an order of a payroll for %s that ends at the bank unsigned', (way) => {
  test('has the payroll fail while it is being placed, though nobody asks for it', async () => {
    const payroll = await stage.keep(way, THREE)
    await stage.strike(way, { effect: 'status', status: 429, times: 1 })
    await stage.place(payroll)
    await stage.heal()
    expect((await stage.kept(payroll)).payroll).toMatchObject({ state: 'placing' })
    await loseOne(payroll)
    await stage.gateway.sweep()
    expect((await stage.kept(payroll)).payroll).toMatchObject({ state: 'failed', status: 'Rejected' })
  })

  test('keeps the others from being signed without it; not once somebody has signed', async () => {
    const payroll = await stage.keep(way, THREE)
    await stage.place(payroll)
    await loseOne(payroll)
    await expect(requireSignable(payroll)).rejects.toMatchObject({
      problems: [{ path: '.payrollId', reason: expect.stringContaining('1 of its 3 payouts ended') }],
    })
    await stage.sql("update payments set signed = true where payroll_id = $1 and status = 'Unsigned'", [payroll.id])
    await expect(requireSignable(payroll)).resolves.toBeUndefined()
  })
})

describe.each(WAYS)('a payout for %s', (way) => {
  test('that equals one of another payroll with an unknown outcome waits, and says for which', async () => {
    const mark = crypto.randomUUID().slice(0, 8)
    const first = await stage.keep(way, THREE.slice(0, 1), { mark })
    await stage.strike(way, { effect: 'down', times: 1 })
    await stage.place(first)
    await stage.heal()
    const second = await stage.keep(way, THREE, { mark })
    await stage.place(second)
    expect(await stage.kept(second)).toMatchObject({ payroll: { state: 'placing' }, waiting: 1 })
    const refused = { reasonCode: 'conflict', extras: { payrollId: first.id } }
    await expect(requireSignable(second)).rejects.toMatchObject(refused)

    const { partnerId, id: payrollId } = first
    const [unknown] = await ordersOfPayroll(stage.gateway.context, { partnerId, payrollId })
    if (unknown === undefined) {
      throw new Error('There is no order')
    }
    await settleAsNeverTaken(stage.gateway.context, unknown)
    await requireSignable(second).catch(() => undefined)
    expect(await stage.until(second, 'placed')).toMatchObject({ waiting: 0 })
    await expect(requireSignable(second)).resolves.toBeUndefined()
  })

  test('that the user may not pay waits for another user: the payroll does not fail', async () => {
    const payroll = await stage.keep(way, THREE, { from: nordicBank(ONE_BY_ONE[way]).viewOnly })
    await stage.place(payroll)
    const { payroll: now, waiting } = await stage.kept(payroll)
    expect(now).toMatchObject({ state: 'placing', stateText: expect.stringContaining('does not let the user pay') })
    expect(waiting).toBe(THREE.length)
  })
})
