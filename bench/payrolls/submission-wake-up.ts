/** Measures how soon a worker submits the first order of a payroll after the partner has got the answer. */
import { waitUntil } from '../../gateway/platform/wait-until.ts'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { openPayrollClient } from './payroll-fixture.ts'

const TRANSACTIONS = 4
/** The pause is the resolution of the measurement. */
const SUBMITTING = { withinMilliseconds: 60_000, everyMilliseconds: 2 }

/** From each answer until the bank holds the first order, on an idle worker. */
export async function measureWakeUps(havn: RunningHavn, rounds: number): Promise<readonly number[]> {
  const payer = await openPayrollClient(havn, PAYROLL_BANKS.baskets)
  const found: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await ordersAtBank(havn, payer.bank.bic)
    await payer.order(payer.payroll(TRANSACTIONS))
    const answered = performance.now()
    await waitForOrders(havn, payer.bank.bic, before + 1)
    found.push(performance.now() - answered)
    await waitForOrders(havn, payer.bank.bic, before + TRANSACTIONS)
  }
  return found
}

async function waitForOrders(havn: RunningHavn, bic: string, count: number): Promise<void> {
  const found = await waitUntil(
    () => ordersAtBank(havn, bic),
    (orders) => orders >= count,
    SUBMITTING,
  )
  if (found < count) {
    throw new Error(`The bank ${bic} did not get ${count} orders`)
  }
}

async function ordersAtBank({ database }: RunningHavn, bic: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from sandbox_bank.payments where bank = $1',
    [bic],
  )
  return rows[0]?.count ?? 0
}
