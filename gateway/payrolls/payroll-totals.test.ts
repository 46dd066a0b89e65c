/** Property test: the orders at the bank sum up exactly to the payroll, in every submission mode, or none is left. */
import fc from 'fast-check'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HavnError } from '../../sdk/index.ts'
import { formatAmount, parseMoney } from '../platform/money.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

const RUNS = Number(process.env['HAVN_PAYROLL_MIXES'] ?? 6)
const RUN_MILLISECONDS = 20_000
/** The bank rejects the creditor of this amount. */
const REJECTED_MINOR = 773_200n
/** Amounts with a scripted outcome in the sandbox are excluded. */
const SCRIPTED = { from: 770_000, to: 779_999 }

const OrdersAtBank = Type.Array(Type.Object({ transactionStatus: Type.String(), amount: Type.String() }))

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

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
