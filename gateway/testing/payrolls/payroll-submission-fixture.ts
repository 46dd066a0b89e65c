/** Sets up payrolls at banks that accept single payments: stores payrolls, submits them and reads the bank's state. */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { SandboxBank } from '../../../sandbox/bank/bank.ts'
import { requireBank } from '../../banks/directory/bank-directory.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { findPayrollOf } from '../../orders/find-orders.ts'
import { payrollSubmissionSweep } from '../../orders/jobs.ts'
import type { Payroll } from '../../orders/payroll.ts'
import { newPayroll, storePayroll } from '../../orders/submit/store-payroll.ts'
import type { Clock } from '../../platform/clock.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { type NordicBank, nordicBank } from '../banks/nordic-banks.ts'
import { eventually } from '../gateway/eventually.ts'
import { lightFetch } from '../gateway/light-fetch.ts'
import { startTestGateway, type TestGateway } from '../gateway/test-gateway.ts'
import { openPaymentDriver } from '../payments/payment-driver.ts'
import { parsedPayroll } from './parsed-payroll.ts'
import { PAYROLL_BANKS } from './payroll-fixture.ts'
import { payrollCaller } from './payroll-initiation-context.ts'

/** Banks with the submission modes `baskets` and `chain`. */
export const BANKS_BY_SINGLE_MODE = { baskets: PAYROLL_BANKS.baskets, chain: PAYROLL_BANKS.chain } as const
export type SingleSubmissionMode = keyof typeof BANKS_BY_SINGLE_MODE

const OrdersAtBank = Type.Array(
  Type.Object({
    paymentId: Type.String(),
    transactionStatus: Type.String(),
    requestId: Type.String(),
    amount: Type.String(),
    body: Type.Unknown(),
  }),
)
export type OrderAtBank = Static<typeof OrdersAtBank>[number]

export type StoredPayroll = {
  readonly payroll: Payroll
  readonly orders: readonly StoredOrder[]
  readonly waiting: number
}
export type StoredOrder = {
  readonly id: string
  readonly position: number
  readonly outcome: string
  readonly status: string
  readonly requestId: string
  readonly bankPaymentId: string | null
}

export type PayrollSubmissionFixture = {
  readonly gateway: TestGateway
  /** The consent caller at the bank of a submission mode. */
  callerAt(mode: SingleSubmissionMode): Promise<ConsentCaller>
  /** Stores a payroll without submitting it. Payrolls with the same mark and amounts are equal. */
  create(
    mode: SingleSubmissionMode,
    amounts: readonly string[],
    other?: { from?: string; mark?: string },
  ): Promise<Payroll>
  /** Makes the remaining transactions due, and submits them as a worker with this context would. */
  submit(payroll: Payroll, context?: Context): Promise<void>
  /** Submits whatever is due, as a worker with this context would. */
  submitDue(context?: Context): Promise<void>
  stored(payroll: Payroll): Promise<StoredPayroll>
  /** The orders at the bank, with the ids of our requests. */
  atBank(payroll: Payroll): Promise<readonly OrderAtBank[]>
  /** Injects a fault at the bank of a submission mode, by default for initiations. */
  injectFault(
    mode: SingleSubmissionMode,
    fault: {
      readonly operation?: string
      readonly effect: string
      readonly times?: number
      readonly status?: number
      readonly milliseconds?: number
    },
  ): Promise<void>
  clearFaults(): Promise<void>
  /** Clears faults, leaves nothing of earlier tests due, and resets the clock. */
  reset(): Promise<void>
  /** Waits for background work. */
  until(payroll: Payroll, state: Payroll['state']): Promise<StoredPayroll>
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** The content of a payroll; its transactions differ, and each message contains `mark`. */
export function samplePayroll(
  gateway: { readonly context: { readonly clock: Pick<Clock, 'today'> } },
  bank: NordicBank,
  amounts: readonly string[],
  mark: string,
): PayrollRequest {
  const { clock } = gateway.context
  const tomorrow = clock.today('Europe/Stockholm').add({ days: 1 })
  return {
    from: { account: { bban: bank.main }, name: bank.companyName },
    transactions: amounts.map((amount, n) => ({
      metadata: { endToEndId: `SAL-${mark}-${n}` },
      name: `${bank.supplierName} ${n}`,
      account: { bban: bank.supplier },
      amount: { amount, currency: bank.currency },
      remittanceInformation: { type: 'message', value: `Pay ${mark} ${n}` },
    })),
    dueDate: nextBankDay(['NO', 'SE'], tomorrow).toString(),
    purposeCode: 'SALA',
  }
}

export async function openPayrollSubmissionFixture(): Promise<PayrollSubmissionFixture> {
  const gateway = await startTestGateway()
  const { context, bank: sandbox } = gateway
  const payer = openPaymentDriver(gateway)
  const marks = new Map<string, string>()
  const sql: PayrollSubmissionFixture['sql'] = async (text, values = []) =>
    (await context.database.pool.query(text, [...values])).rows
  const control = controlOf(sandbox)
  const callerAt = (mode: SingleSubmissionMode) => payrollCaller(gateway, payer, nordicBank(BANKS_BY_SINGLE_MODE[mode]))
  const submitDue = async (as: Context = context) => {
    await runSweepsUntilIdle([payrollSubmissionSweep(as)])
  }
  const stored = (payroll: Payroll) => readStoredPayroll(gateway, sql, payroll)
  const clearFaults = async () => {
    await control('DELETE', '/faults')
    await context.banks.resetFailures()
  }
  return {
    ...{ gateway, callerAt, stored, sql, submitDue },
    create: async (mode, amounts, { from, mark = crypto.randomUUID().slice(0, 8) } = {}) => {
      const caller = await callerAt(mode)
      const bank = await requireBank(context.banks, BANKS_BY_SINGLE_MODE[mode])
      const usual = samplePayroll(gateway, nordicBank(bank.bic), amounts, mark)
      const requested = from === undefined ? usual : { ...usual, from: { ...usual.from, account: { bban: from } } }
      const instruction = await parsedPayroll(context, caller, requested)
      const payroll = await newPayroll(context, caller, instruction, { bank, submissionMode: mode })
      await storePayroll(context, payroll, instruction, async () => undefined)
      marks.set(payroll.id, mark)
      return payroll
    },
    submit: async (payroll, as = context) => {
      const due = "update payrolls set submit_at = $2 where id = $1 and state = 'submitting'"
      await sql(due, [payroll.id, context.clock.now().toString()])
      await submitDue(as)
    },
    atBank: async (payroll) => {
      const held = parseOrders(await control('GET', `/payments?bank=${payroll.bic}`))
      const mark = marks.get(payroll.id) ?? ''
      return held.filter(({ body }) => JSON.stringify(body).includes(`Pay ${mark} `))
    },
    injectFault: async (mode, fault) => {
      await control('POST', '/faults', {
        bank: BANKS_BY_SINGLE_MODE[mode],
        operation: 'initiatePayment',
        ...fault,
      })
    },
    clearFaults,
    reset: async () => {
      await clearFaults()
      await sql('update payments set poll_at = null')
      await sql('update payrolls set submit_at = null, lease_until = null')
      await resetClock(gateway)
    },
    until: async (payroll, state) =>
      await eventually(async () => {
        const now = await stored(payroll)
        expect(now.payroll.state).toBe(state)
        return now
      }),
  }
}

/** Moves the clock back to the machine's time, unless it has that. */
async function resetClock({ client, context }: TestGateway): Promise<void> {
  const { rows } = await context.database.pool.query('select from business_clock where offset_milliseconds <> 0')
  if (rows.length > 0) {
    await client.moveSandboxClock({ body: { reset: true } })
  }
}

function parseOrders(answer: unknown): readonly OrderAtBank[] {
  return Value.Parse(OrdersAtBank, Value.Clean(OrdersAtBank, answer))
}

/** Calls the sandbox bank's control API. */
function controlOf({ pagesUrl }: Pick<SandboxBank, 'pagesUrl'>) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await lightFetch(`${pagesUrl}/control${path}`, { method, ...json })
    expect(answer.ok, `${method} ${path}`).toBe(true)
    return await answer.json()
  }
}

/** The progress of a payroll by the gateway's database. */
async function readStoredPayroll(
  { context }: Pick<TestGateway, 'context'>,
  sql: PayrollSubmissionFixture['sql'],
  { partnerId, id }: Payroll,
): Promise<StoredPayroll> {
  return {
    payroll: await findPayrollOf(context, partnerId, id),
    orders: await sql<StoredOrder>(
      `select p.id, t.position, p.outcome, p.status, p.bank_request_id as "requestId",
         p.bank_payment_id as "bankPaymentId"
       from payroll_transactions t join payments p on p.partner_id = t.partner_id and p.id = t.payment_id
       where t.payroll_id = $1 order by t.position`,
      [id],
    ),
    waiting: Number(
      (
        await sql<{ count: string }>(
          'select count(*) from payroll_transactions where payroll_id = $1 and payment_id is null',
          [id],
        )
      )[0]?.count,
    ),
  }
}
