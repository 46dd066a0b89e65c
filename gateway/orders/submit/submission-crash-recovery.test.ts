/** Crashes the submission of payrolls at every step: each transaction is at the bank once, and all orders there are known. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { crashingDatabase } from '../../testing/database/crashing-database.ts'
import {
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import type { Payroll } from '../payroll.ts'

/** Each sequence submits this many; it ends well before the last of them could be submitted twice. */
const AMOUNTS = ['1001.01', '1002.02']
const TEST_MILLISECONDS = 120_000

/** After how many statements the response is lost; in short runs that of every second one. */
const LOSSES: readonly { readonly of: string; readonly isLost: (statements: number) => boolean }[] =
  randomCases(2) > 1
    ? [
        { of: 'none', isLost: () => false },
        { of: 'all', isLost: () => true },
      ]
    : [{ of: 'every second', isLost: (statements) => statements % 2 === 0 }]

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())

/** A worker submits until the process crashes at a step; true when it finished before that. */
async function liveFor(statements: number, answerLost: boolean): Promise<boolean> {
  const database = crashingDatabase(stage.gateway.context.database.pool)
  database.live({ statements, answerLost })
  const isOver = await stage.submitDue({ ...stage.gateway.context, database }).then(
    () => true,
    () => false,
  )
  await database.close()
  return isOver
}

/** The leases of the crashed process end, and another worker submits the rest without any request. */
async function goOn(payroll: Payroll): Promise<void> {
  await stage.sql("update payments set recover_at = '2020-01-01' where payroll_id = $1 and outcome = 'in-flight'", [
    payroll.id,
  ])
  await stage.sql("update payrolls set lease_until = '2020-01-01' where id = $1 and lease_until is not null", [
    payroll.id,
  ])
  await stage.gateway.sweep()
}

async function expectWhole(payroll: Payroll, step: string): Promise<void> {
  const { payroll: now, orders, waiting } = await stage.stored(payroll)
  const held = await stage.atBank(payroll)
  expect(new Set(held.map(({ amount }) => amount)).size, `${step}: no payout is at the bank twice`).toBe(held.length)
  const byRequest = new Map(orders.map((order) => [order.requestId, order]))
  expect(
    held.filter(({ requestId }) => !byRequest.has(requestId)),
    `${step}: everything at the bank is known by its request`,
  ).toEqual([])
  expect(waiting, `${step}: no payout is left`).toBe(0)
  const unknown = orders.filter(({ outcome }) => outcome === 'unknown')
  expect(now.state, step).toBe(unknown.length === 0 ? 'submitted' : 'submitting')
  const known = orders.filter(({ outcome }) => outcome === 'known')
  expect(known.length + unknown.length, step).toBe(AMOUNTS.length)
  const heldById = new Map(held.map(({ paymentId, requestId }) => [paymentId, requestId]))
  expect(
    known.filter(({ bankPaymentId, requestId }) => heldById.get(bankPaymentId ?? '') !== requestId),
    step,
  ).toEqual([])
  const tasks = new Set((await getOpenTasks(stage.gateway.context)).map(({ subjectId }) => subjectId))
  expect(
    unknown.filter(({ id }) => !tasks.has(id)),
    `${step}: people are told of what is unknown`,
  ).toEqual([])
}

test.each(LOSSES)(
  'a process that crashes before a statement, or before its response ($of), leaves nothing twice and nothing behind',
  async ({ isLost }) => {
    const unknowns: number[] = []
    for (let statements = 1; ; statements += 1) {
      const payroll = await stage.create('baskets', AMOUNTS)
      const isOver = await liveFor(statements, isLost(statements))
      await goOn(payroll)
      await expectWhole(payroll, `statement ${statements}`)
      unknowns.push((await stage.stored(payroll)).orders.filter(({ outcome }) => outcome === 'unknown').length)
      if (isOver) {
        break
      }
    }
    expect(unknowns.length).toBeGreaterThan(10)
    expect(Math.max(...unknowns)).toBeGreaterThan(0)
    expect(Math.min(...unknowns)).toBe(0)
  },
  TEST_MILLISECONDS,
)
