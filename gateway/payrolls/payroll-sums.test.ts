/** Tests that the orders at the bank sum up to the payroll or none is left, and cancellations that a bank executes in part at first. */
import fc from 'fast-check'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { HavnError } from '../../sdk/index.ts'
import { formatAmount, parseMoney } from '../platform/money.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('in every submission mode', () => {
  const RUNS = Number(process.env['HAVN_PAYROLL_MIXES'] ?? 6)
  const RUN_MILLISECONDS = 20_000
  /** The bank rejects the creditor of this amount. */
  const REJECTED_MINOR = 773_200n
  /** Amounts with a scripted outcome in the sandbox are excluded. */
  const SCRIPTED = { from: 770_000, to: 779_999 }

  const OrdersAtBank = Type.Array(Type.Object({ transactionStatus: Type.String(), amount: Type.String() }))

  let stage: PayrollFixture
  beforeAll(async () => {
    stage = openPayrollFixture(gateway)
    await stage.payer.nextMorning()
  })

  type Way = keyof typeof PAYROLL_BANKS
  const ways: Way[] = ['bulk', 'bulkOwnIds', 'baskets', 'chain']

  /** What one bank holds that can still be paid. */
  async function heldAt(submissionMode: Way): Promise<bigint> {
    const { bic, currency } = nordicBank(PAYROLL_BANKS[submissionMode])
    const answer: unknown = await (await fetch(`${gateway.bank.pagesUrl}/control/payments?bank=${bic}`)).json()
    const orders: Static<typeof OrdersAtBank> = Value.Parse(OrdersAtBank, Value.Clean(OrdersAtBank, answer))
    return orders
      .filter(({ transactionStatus }) => !['RJCT', 'CANC'].includes(transactionStatus))
      .reduce((sum, { amount }) => sum + (parseMoney(amount, currency)?.minor ?? 0n), 0n)
  }

  async function ordered(submissionMode: Way, minors: readonly bigint[]): Promise<string | undefined> {
    const bank = nordicBank(PAYROLL_BANKS[submissionMode])
    const { currency } = bank
    const requested = stage.payroll(bank, minors.length)
    const transactions = requested.transactions.map((payout, n) => ({
      ...payout,
      amount: { amount: formatAmount({ minor: minors[n] ?? 0n, currency }), currency },
    }))
    try {
      return (await stage.order(bank, { ...requested, transactions })).payrollId
    } catch (error) {
      if (error instanceof HavnError && error.status === 422) {
        return undefined
      }
      throw error
    }
  }

  /** Until all of it is at the bank, or nothing. */
  async function settled(payrollId: string): Promise<string> {
    return await eventually(async () => {
      await gateway.sweep()
      const { rows } = await gateway.context.database.pool.query<{ state: string }>(
        'select state from payrolls where id = $1',
        [payrollId],
      )
      expect(['submitted', 'failed']).toContain(rows[0]?.state)
      return rows[0]?.state ?? ''
    })
  }

  const minor = fc
    .oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 2_500_000_00 }))
    .filter((amount) => amount < SCRIPTED.from || amount > SCRIPTED.to)
  type Mix = { submissionMode: Way; minors: bigint[]; rejectedAt: number | null }
  const mix: fc.Arbitrary<Mix> = fc.record({
    submissionMode: fc.constantFrom(...ways),
    minors: fc.array(minor.map(BigInt), { minLength: 1, maxLength: 9 }),
    rejectedAt: fc.option(fc.nat({ max: 8 }), { freq: 3 }),
  })

  test(
    'the sum at the bank is the sum that was ordered, or the payroll failed and nothing of it is left there',
    async () => {
      await fc.assert(
        fc.asyncProperty(mix, async ({ submissionMode, minors, rejectedAt }) => {
          const before = await heldAt(submissionMode)
          const requested = rejectedAt === null ? minors : minors.toSpliced(rejectedAt, 0, REJECTED_MINOR)
          const payrollId = await ordered(submissionMode, requested)
          const state = payrollId === undefined ? 'refused' : await settled(payrollId)
          const isWhole = state === 'submitted'
          expect(isWhole).toBe(rejectedAt === null)
          expect(await heldAt(submissionMode)).toBe(
            isWhole ? before + requested.reduce((sum, amount) => sum + amount, 0n) : before,
          )
        }),
        {
          numRuns: RUNS,
          examples: ways.map((submissionMode): [Mix] => [
            { submissionMode, minors: [1n, 99n, 100_000_01n], rejectedAt: null },
          ]),
        },
      )
    },
    RUNS * RUN_MILLISECONDS,
  )
})

describe('cancelled in part at first', () => {
  const bank = nordicBank(PAYROLL_BANKS.baskets)

  let stage: PayrollFixture
  let control: SandboxBankControl
  beforeAll(async () => {
    stage = openPayrollFixture(gateway)
    control = openSandboxBankControl(gateway.bank)
    await stage.payer.nextMorning()
  })
  beforeEach(async () => {
    await control.clearFaults()
    await gateway.context.banks.resetFailures()
  })

  async function sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
  }

  async function injectFault(operation: string, effect: string): Promise<void> {
    await control.postControl('/faults', { bank: bank.bic, operation, effect, times: 1 })
  }

  async function ordered(count: number, until: (payrollId: string) => Promise<void>): Promise<string> {
    const { payrollId } = await stage.order(bank, stage.payroll(bank, count))
    await stage.submit()
    await eventually(() => until(payrollId))
    return payrollId
  }

  async function isPlaced(payrollId: string): Promise<void> {
    expect(await sql('select state from payrolls where id = $1', [payrollId])).toEqual([{ state: 'submitted' }])
  }

  async function cancel(payrollId: string) {
    const shown = await stage.payer.consentOf(bank)
    return await gateway.client.cancelPayroll({ ...shown, body: { payrollId, callbackUrl: CALLBACK } })
  }

  async function approve(payrollId: string) {
    const shown = await stage.payer.consentOf(bank)
    return await gateway.client.approvePayrolls({ ...shown, body: { payrollId, callbackUrl: CALLBACK } })
  }

  async function partsOf(payrollId: string): Promise<readonly string[]> {
    const rows = await sql<{ status: string }>(
      `select c.status from payroll_cancellations w
       join cancellations c on c.payroll_cancellation_id = w.id where w.payroll_id = $1 order by c.status`,
      [payrollId],
    )
    return rows.map(({ status }) => status)
  }

  /** What a worker does once an answer has been waited for long enough. */
  async function recover(): Promise<void> {
    await sql("update cancellations set recover_at = '2020-01-01', lease_until = null where status = 'REQUESTED'")
    await gateway.sweep()
  }

  describe('a payroll of which its bank has cancelled a part', () => {
    it('is unsigned until the rest is known, and is cancelled as a whole then', async () => {
      const payrollId = await ordered(4, isPlaced)
      await injectFault('cancelPayment', 'drop-request')
      await expect(cancel(payrollId)).rejects.toMatchObject({ status: 503 })
      expect(await partsOf(payrollId)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'REQUESTED'])
      await expect(approve(payrollId)).rejects.toMatchObject({
        ...{ status: 409, message: expect.stringContaining('is being cancelled') },
      })
      await recover()
      expect(await partsOf(payrollId)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'ACCEPTED'])
      expect(await stage.counts(payrollId)).toEqual({ Cancelled: 4 })
    })

    it('waits for the process that holds an order of it, instead of leaving the order to be paid', async () => {
      const payrollId = await ordered(2, isPlaced)
      await injectFault('cancelPayment', 'drop-request')
      await expect(cancel(payrollId)).rejects.toMatchObject({ status: 503 })
      await sql(
        `insert into approval_leases (partner_id, payment_id, approval_id, lease_until)
         select partner_id, payment_id, $2, '2200-01-01' from cancellations
         where status = 'REQUESTED' and payment_id in (select id from payments where payroll_id = $1)`,
        [payrollId, crypto.randomUUID()],
      )
      await recover()
      expect(await partsOf(payrollId)).toEqual(['ACCEPTED', 'REQUESTED'])
      await sql('delete from approval_leases')
      await recover()
      expect(await stage.counts(payrollId)).toEqual({ Cancelled: 2 })
    })
  })

  describe('a cancellation that the bank accepted', () => {
    it('is not deleted when it cannot be recorded', async () => {
      const payrollId = await ordered(2, isPlaced)
      await sql('alter table payments add constraint unkept check (cancellation_accepted_at is null) not valid')
      await expect(cancel(payrollId)).rejects.toMatchObject({ status: 500 })
      await sql('alter table payments drop constraint unkept')
      expect(await partsOf(payrollId)).toEqual(['REQUESTED', 'REQUESTED'])
      await expect(approve(payrollId)).rejects.toMatchObject({ status: 409 })
      await recover()
      expect(await partsOf(payrollId)).toEqual(['ACCEPTED', 'ACCEPTED'])
      expect(await stage.counts(payrollId)).toEqual({ Cancelled: 2 })
    })
  })

  describe('a payroll with an order that may be at its bank', () => {
    it('is not reported as cancelled until that is known', async () => {
      await injectFault('initiatePayment', 'drop-connection')
      const payrollId = await ordered(2, async (id) => {
        const rows = await sql('select outcome from payments where payroll_id = $1 order by outcome', [id])
        expect(rows).toEqual([{ outcome: 'known' }, { outcome: 'unknown' }])
      })
      await expect(cancel(payrollId)).rejects.toMatchObject({ status: 409 })
      await expect(cancel(payrollId)).rejects.toMatchObject({ status: 409 })
      expect(await partsOf(payrollId)).toEqual([])
    })
  })
})
