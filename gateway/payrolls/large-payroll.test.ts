/** Tests a payroll of thousands of transactions: accepted in one request, answered quickly, and complete. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

const bank = nordicBank(PAYROLL_BANKS.bulk)
/** Several times what is stored, sent and listed at once; the long form has as many as a bank may take. */
const PAYOUTS = Number(process.env['HAVN_LARGE_PAYROLL'] ?? 2_500)

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

test('is accepted in one request, and each of its transactions reaches a final status', async () => {
  const payroll = stage.payroll(bank, PAYOUTS)
  // The account holds enough for that.
  const amount = { amount: '12.34', currency: bank.currency }
  const requested = { ...payroll, transactions: payroll.transactions.map((payout) => ({ ...payout, amount })) }
  const { payrollId, transactions } = await stage.order(bank, requested)
  expect(transactions).toHaveLength(PAYOUTS)
  expect(await stage.sign(bank, [payrollId])).toBe('success')
  await passTime(gateway, 'PT120H')
  expect(await stage.counts(payrollId)).toEqual({ Completed: PAYOUTS })
}, 120_000)
