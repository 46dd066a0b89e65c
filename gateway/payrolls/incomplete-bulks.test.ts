/** Tests bulks that end halfway: nothing of them remains to be signed, is lost, or is paid twice unnoticed. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import type { Context } from '../context.ts'
import { getOpenTasks } from '../operators/resolve-task.ts'
import { listPayrollOrders } from '../orders/find-orders.ts'
import { settleAsAcknowledgedByOperators, settleAsNeverAcknowledged } from '../orders/submit/settle-unknown-outcome.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { crashingDatabase } from '../testing/database/crashing-database.ts'
import { interleavingDatabase } from '../testing/database/interleaving-database.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { parsedPayroll } from '../testing/payrolls/parsed-payroll.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'
import { payrollCaller, payrollInitiationContext } from '../testing/payrolls/payroll-initiation-context.ts'
import { demoPartnerId } from '../testing/webhooks/enqueue-status-change.ts'
import { initiatePayroll } from './initiate-payroll.ts'
import { initiatePayrollBulk } from './initiate-payroll-bulk.ts'

const vestkyst = nordicBank(PAYROLL_BANKS.bulkOwnIds)
/** By the sandbox's table of outcomes. */
const REJECTED = { amount: { amount: '7735.00', currency: vestkyst.currency } }
const TEST_MILLISECONDS = 180_000

/** Every single one is tried in the long tests. */
const STATEMENTS_APART = Number(process.env['HAVN_BULK_STATEMENTS_APART'] ?? 13)

let gateway: TestGateway
let stage: PayrollFixture
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  partnerId = await demoPartnerId(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

async function sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query(text, [...values])).rows
}

/** Over HTTP, under a key. */
async function post(payrolls: readonly PayrollRequest[], key: string): Promise<Answer> {
  const { consentId } = await stage.payer.consentOf(vestkyst)
  const headers = { ...(await validHeaders(gateway, consentId)), 'idempotency-key': key }
  return await sendRawRequest(gateway, ['POST', '/api/v2/payroll/bulk'], {
    headers,
    body: { callbackUrl: CALLBACK, payrolls },
  })
}

const callerHere = () => payrollCaller(gateway, stage.payer, vestkyst)
const toolsOf = (context: Context) => payrollInitiationContext(context, vestkyst)
const bulkToolsOf = async (context: Context, payrolls: readonly PayrollRequest[]) => {
  const caller = await callerHere()
  const parsing = payrolls.map((payroll) => parsedPayroll(gateway.context, caller, payroll))
  return { ...(await toolsOf(context)), instructions: await Promise.all(parsing) }
}

const lastBulk = async () => {
  const [bulk] = await sql<{ id: string; state: string }>(
    'select id, state from payroll_bulks order by created_at desc, id desc limit 1',
  )
  return bulk ?? { id: '', state: 'none' }
}
const payrollsOf = async (bulkId: string) =>
  await sql<{ id: string; state: string; status: string }>(
    'select id, state, status from payrolls where bulk_id = $1 order by created_at, id',
    [bulkId],
  )
const heldOf = async (bulkId: string) =>
  await sql<{ id: string; status: string }>(
    `select b.id, b.status from sandbox_bank.payments b join payments p on p.bank_request_id::text = b.request_id::text
     join payrolls y on y.id = p.payroll_id where y.bulk_id = $1`,
    [bulkId],
  )

async function orderOf(payrollId: string) {
  const [order] = await listPayrollOrders(gateway.context, { partnerId, payrollId })
  if (order === undefined) {
    throw new Error('The payroll has no order')
  }
  return order
}

/** Two hours in which sweeps do their work. */
async function later(): Promise<void> {
  await gateway.sweep()
  await passTime(gateway, 'PT2H')
  await gateway.sweep()
}

test('a bulk is rejected naming the payroll that the bank executes without a signature; operators are notified, and its key orders nothing again', async () => {
  const from = { account: { bban: vestkyst.noSigning }, name: vestkyst.companyName }
  const exempt = stage.payroll(vestkyst, 1, { from })
  const requested = [exempt, stage.payroll(vestkyst, 1, { transactions: [salary(vestkyst, 910_000, REJECTED)] })]
  const answer = await post(requested, 'exempt-1')
  const [paid] = await payrollsOf((await lastBulk()).id)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body)).toContain('.payrolls[1].transactions[0]')
  expect(JSON.stringify(answer.body)).toContain(`as payroll ${paid?.id}`)
  const { id: subjectId } = await orderOf(paid?.id ?? '')
  expect((await getOpenTasks(gateway.context)).filter((task) => task.subjectId === subjectId)).toMatchObject([
    { kind: 'BulkCarriedOutInPart', detail: { payrollId: paid?.id } },
  ])
  expect(await post(requested, 'exempt-1')).toMatchObject({ status: 409 })
  expect((await payrollsOf((await lastBulk()).id)).length).toBe(1)
})

describe('a bulk with an unknown outcome of one part', () => {
  const unknown = async (key: string) => {
    const control = openSandboxBankControl(gateway.bank)
    const fault = { bank: vestkyst.bic, operation: 'initiateBulkPayment', effect: 'drop-connection', times: 1 }
    await control.postControl('/faults', fault)
    const requested = [stage.payroll(vestkyst, 1), stage.payroll(vestkyst, 1)]
    const answer = await post(requested, key)
    await control.clearFaults()
    await gateway.context.banks.resetFailures()
    const bulk = await lastBulk()
    const [payroll] = await payrollsOf(bulk.id)
    expect(answer).toMatchObject({ status: 503, body: { payrollId: payroll?.id } })
    expect(payroll?.state).toBe('failing')
    expect(await post(requested, key)).toMatchObject({ status: 409 })
    return { requested, bulk, order: await orderOf(payroll?.id ?? '') }
  }

  test('is cancelled when it turns out that the bank accepted it', async () => {
    const { order, bulk, requested } = await unknown('taken-1')
    const [held] = await sql<{ id: string }>('select id from sandbox_bank.payments where request_id::text = $1', [
      order.bankRequestId,
    ])
    await settleAsAcknowledgedByOperators(gateway.context, order, held?.id ?? '')
    await later()
    expect(await payrollsOf(bulk.id)).toMatchObject([{ state: 'failed', status: 'Cancelled' }])
    expect(await lastBulk()).toMatchObject({ id: bulk.id, state: 'failed' })
    expect(await post(requested, 'taken-1')).toMatchObject({ status: 200 })
  })

  test('can be ordered again under its key once it is known that the bank did not accept it', async () => {
    const { order, requested } = await unknown('never-1')
    await settleAsNeverAcknowledged(gateway.context, order)
    await later()
    expect(await post(requested, 'never-1')).toMatchObject({ status: 200 })
  })
})

test('a bulk that a sweep ends while it is being ordered gets no further payrolls', async () => {
  const { context } = gateway
  const database = interleavingDatabase(context.database.pool, /for share/, async () => {
    await sql("update payroll_bulks set next_run_at = '2020-01-01', lease_until = null where state = 'submitting'")
    await gateway.sweep()
  })
  const as = { ...context, database }
  const requested = { callbackUrl: CALLBACK, payrolls: [stage.payroll(vestkyst, 1), stage.payroll(vestkyst, 1)] }
  const ordered = initiatePayrollBulk(as, await callerHere(), requested, await bulkToolsOf(as, requested.payrolls))
  await expect(ordered).rejects.toMatchObject({ reasonCode: 'unavailable' })
  await database.close()
  const bulk = await lastBulk()
  expect(bulk.state).toBe('failed')
  expect(await payrollsOf(bulk.id)).toEqual([])
})

/** It is complete, or deleted; otherwise operators are notified. */
async function expectWhole({ id, state }: { readonly id: string; readonly state: string }, step: string) {
  const payrolls = await payrollsOf(id)
  if (state === 'submitted') {
    expect(payrolls, step).toMatchObject([{ state: 'submitted' }, { state: 'submitted' }])
  } else if (state === 'failed') {
    const left = (await heldOf(id)).filter(({ status }) => status !== 'CANC')
    // The bank cancels nothing of a basket, and that one's id was lost.
    const lost = await sql("select id from approval_baskets where approval_id = $1 and state = 'unknown'", [id])
    expect(left.length > 0, step).toBe(lost.length > 0)
    const tasks = (await getOpenTasks(gateway.context)).filter(({ kind }) => kind === 'CannotBeWithdrawn')
    const reported = new Set(tasks.map(({ detail }) => detail['bankPaymentId']))
    expect(
      left.filter((held) => !reported.has(held.id)),
      step,
    ).toEqual([])
    expect(payrolls.filter(({ status }) => status === 'Cancelled').length, step).toBe(payrolls.length - left.length)
  } else {
    expect(state, step).toBe('failing')
    const unknown = await sql(
      `select p.id from payments p join payrolls y on y.id = p.payroll_id where y.bulk_id = $1 and p.outcome = 'unknown'`,
      [id],
    )
    expect(unknown.length, step).toBe(1)
  }
}

test(
  'a process that crashes at any statement leaves an accepted bulk, or nothing of it',
  async () => {
    const ends = new Set<string>()
    const caller = await callerHere()
    for (let statements = 1, isOver = false; !isOver; statements += STATEMENTS_APART) {
      const database = crashingDatabase(gateway.context.database.pool)
      const as = { ...gateway.context, database }
      const requested = { callbackUrl: CALLBACK, payrolls: [stage.payroll(vestkyst, 1), stage.payroll(vestkyst, 1)] }
      const tools = await bulkToolsOf(as, requested.payrolls)
      const before = await lastBulk()
      database.live({ statements, answerLost: false })
      isOver = await initiatePayrollBulk(as, caller, requested, tools).then(
        () => true,
        () => false,
      )
      await database.close()
      const bulk = await lastBulk()
      if (bulk.id === before.id) {
        continue
      }
      await sql("update payroll_bulks set next_run_at = '2020-01-01', lease_until = null where state = 'submitting'")
      await sql("update payments set recover_at = '2020-01-01' where outcome = 'in-flight'")
      // An order that was being signed is not touched for as long as its user may return.
      await sql("update approval_leases set lease_until = '2020-01-01'")
      await sql(
        "update approval_baskets set due_at = '2020-01-01', lease_until = null where state in ('in-flight', 'unsigned')",
      )
      for (const table of ['payrolls', 'payroll_bulks']) {
        await gateway.sweep()
        await sql(`update ${table} set next_run_at = '2020-01-01' where state = 'failing'`)
      }
      await gateway.sweep()
      const { state } = await lastBulk()
      ends.add(state)
      await expectWhole({ ...bulk, state }, `statement ${statements}`)
    }
    expect(ends).toContain('failed')
    expect(ends).toContain('submitted')
  },
  TEST_MILLISECONDS,
)

test('a payroll that the bank accepted is returned although the ids of its transactions could not be recorded', async () => {
  const { context } = gateway
  const cut = Object.assign(new Error('cut'), { code: '23000' })
  const database = interleavingDatabase(context.database.pool, /set bank_transaction_id/, () => Promise.reject(cut))
  const as = { ...context, database }
  const caller = await callerHere()
  const instruction = await parsedPayroll(context, caller, stage.payroll(vestkyst, 2))
  const answer = await initiatePayroll(as, caller, instruction, await toolsOf(as))
  await database.close()
  expect(await stage.counts(answer.payrollId)).toEqual({ Unsigned: 2 })
})
