/** Crashes the submission of a payroll as one order at every statement: the bank has it at most once, and all of it is known. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { initiatePayroll } from '../../payrolls/initiate-payroll.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { crashingDatabase } from '../../testing/database/crashing-database.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { parsedPayroll } from '../../testing/payrolls/parsed-payroll.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../../testing/payrolls/payroll-fixture.ts'
import { payrollCaller, payrollInitiationContext } from '../../testing/payrolls/payroll-initiation-context.ts'

const TEST_MILLISECONDS = 120_000
const PAYOUTS = 3
const MINOR_UNITS = 100

type HeldAtBank = { paymentId: string; requestId: string }
type Kept = { payrollId: string; orderId: string; outcome: string; requestId: string; bankPaymentId: string | null }

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

async function sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
}

/** Bulks in which these transactions were submitted, of which no two have the same amount. */
async function heldOf({ transactions }: PayrollRequest): Promise<readonly HeldAtBank[]> {
  return await sql<HeldAtBank>(
    `select distinct b.id as "paymentId", b.request_id::text as "requestId"
     from sandbox_bank.payments b join sandbox_bank.bulk_transactions e on e.bulk_id = b.id
     where e.amount_minor = any($1::bigint[])`,
    [transactions.map(({ amount }) => Number(amount.amount) * MINOR_UNITS)],
  )
}

async function keptOf({ transactions }: PayrollRequest): Promise<readonly Kept[]> {
  return await sql<Kept>(
    `select distinct t.payroll_id as "payrollId", p.id as "orderId", p.outcome, p.bank_request_id as "requestId",
       p.bank_payment_id as "bankPaymentId"
     from payroll_transactions t left join payments p on p.partner_id = t.partner_id and p.id = t.payment_id
     where t.end_to_end_id = any($1)`,
    [transactions.map(({ metadata }) => metadata.endToEndId)],
  )
}

async function hasTask(subjectId: string): Promise<boolean> {
  return (await getOpenTasks(gateway.context)).some((task) => task.subjectId === subjectId)
}

/** What is stored matches what the bank holds. */
async function expectWhole(payroll: PayrollRequest, step: string): Promise<string> {
  const [held, kept] = [await heldOf(payroll), await keptOf(payroll)]
  expect(held.length, `${step}: the bank holds it once at most`).toBeLessThanOrEqual(1)
  expect(kept.length, `${step}: all payouts are of one order`).toBeLessThanOrEqual(1)
  const [[there], [here]] = [held, kept]
  if (here === undefined) {
    expect(there, `${step}: nothing at the bank is unknown to us`).toBeUndefined()
    return 'nothing'
  }
  expect([here.requestId, undefined], step).toContain(there?.requestId)
  if (here.outcome === 'known') {
    expect(there?.paymentId, step).toBe(here.bankPaymentId)
    expect(await stage.counts(here.payrollId), step).toEqual({ Unsigned: PAYOUTS })
  } else {
    expect(here.outcome, step).toBe('unknown')
    expect(await hasTask(here.orderId), `${step}: people are told`).toBe(true)
  }
  return here.outcome
}

test.each(
  banksOfEachKind<readonly [string, boolean]>(
    [
      [PAYROLL_BANKS.bulk, false],
      [PAYROLL_BANKS.bulkOwnIds, true],
    ],
    [
      [PAYROLL_BANKS.bulk, true],
      [PAYROLL_BANKS.bulkOwnIds, false],
    ],
  ),
)(
  'at %s a process that crashes before a statement, or before its response (%s), leaves nothing twice and nothing behind',
  async (bic, answerLost) => {
    const bank = nordicBank(bic)
    const caller = await payrollCaller(gateway, stage.payer, bank)
    const ends: string[] = []
    for (let statements = 1, isOver = false; !isOver; statements += 1) {
      const database = crashingDatabase(gateway.context.database.pool)
      const as = { ...gateway.context, database }
      const payroll = stage.payroll(bank, PAYOUTS)
      const instruction = await parsedPayroll(gateway.context, caller, payroll)
      const tools = await payrollInitiationContext(as, bank)
      database.live({ statements, answerLost })
      isOver = await initiatePayroll(as, caller, instruction, tools).then(
        () => true,
        () => false,
      )
      await database.close()
      await sql("update payments set recover_at = '2020-01-01' where outcome = 'in-flight' and payroll_id is not null")
      await gateway.sweep()
      ends.push(await expectWhole(payroll, `statement ${statements}`))
    }
    expect(ends.at(-1)).toBe('known')
    expect(new Set(ends)).toEqual(new Set(['nothing', 'unknown', 'known']))
  },
  TEST_MILLISECONDS,
)
