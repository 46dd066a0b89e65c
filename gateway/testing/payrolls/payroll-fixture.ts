/** Plays a company that pays its people through a whole gateway: orders payrolls at any bank, signs them, looks at what became of them. */
import type { PayrollAsked, PayrollTransactionAsked } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollStatus } from '../../../contract/payrolls/payroll-response.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'
import { openPayer, type Payer } from '../payments/payment-driver.ts'
import { CALLBACK } from '../payments/sample-payments.ts'

/** Banks of the sandbox by how they take payrolls. */
export const PAYROLL_BANKS = {
  /** Lists the payments of a bulk in the bulk itself. */
  bulk: 'FJELNO22',
  /** Each payment of a bulk has an id of its own; bulks can be signed together. */
  bulkOwnIds: 'VSKYNO22',
  baskets: 'MALBSESS',
  chain: 'HAVBNO22',
} as const

/** What can be done; users are those who pay unless told otherwise. */
export type PayrollStage = {
  readonly payer: Payer
  /** A payroll of so many salaries, due on the next bank day; no two payouts of a stage are alike. */
  payroll(bank: NordicBank, count: number, changes?: Partial<PayrollAsked>): PayrollAsked
  order(bank: NordicBank, payroll: PayrollAsked, idempotencyKey?: string): Promise<PayrollInitiated>
  statusOf(payrollId: string): Promise<PayrollStatus>
  /** How many payouts have each status. */
  counts(payrollId: string): Promise<Readonly<Record<string, number>>>
  /** Approves, and signs as the sandbox lets people sign; answers what became of the approval. */
  sign(bank: NordicBank, payrollIds: readonly string[], userId?: string): Promise<string | null>
}

/** Opens the stage of a whole gateway. */
export function openPayrollStage(gateway: WholeGateway): PayrollStage {
  const { client, context } = gateway
  const payer = openPayer(gateway)
  let ordered = 0
  const salaries = (bank: NordicBank, count: number) => {
    ordered += count
    return Array.from({ length: count }, (_none, n) => salary(bank, ordered - count + n + 1))
  }
  const statusOf = (payrollId: string) => client.readPayrollStatus({ params: { payrollId } })
  return {
    payer,
    statusOf,
    payroll: (bank, count, changes = {}) => ({
      from: { account: { bban: bank.main }, name: bank.companyName },
      transactions: salaries(bank, count),
      dueDate: nextBankDay(
        ['NO', 'SE', 'DK', 'FI'],
        context.clock.today('Europe/Helsinki').add({ days: 1 }),
      ).toString(),
      purposeCode: 'SALA',
      ...changes,
    }),
    order: async (bank, body, idempotencyKey) =>
      await client.initiatePayroll({
        ...(await payer.consentOf(bank)),
        body,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
    counts: async (payrollId) => {
      const { transactions } = await statusOf(payrollId)
      const groups = Map.groupBy(transactions, ({ payrollStatus }) => payrollStatus)
      return Object.fromEntries([...groups].map(([status, alike]) => [status, alike.length]))
    },
    sign: async (bank, payrolls, userId = bank.users[0]) => {
      const body = { payrolls: [...payrolls], callbackUrl: CALLBACK }
      const { id } = await client.approvePayrolls({ ...(await payer.consentOf(bank, userId)), body })
      const params = { approvalId: id, decision: 'sign' } as const
      const { outcome } = await client.decideSandboxApproval({ params, body: { userId } })
      await gateway.sweep()
      return outcome
    },
  }
}

/** One salary; sums differ, so that a bank does not take two for the same. */
export function salary(
  bank: NordicBank,
  number: number,
  changes: Partial<PayrollTransactionAsked> = {},
): PayrollTransactionAsked {
  return {
    metadata: { endToEndId: `SAL-${process.pid}-${number}` },
    name: `Employee ${number}`,
    account: { bban: bank.supplier },
    amount: { amount: `${20_000 + number}.50`, currency: bank.currency },
    remittanceInformation: { type: 'message', value: `Salary ${number}` },
    ...changes,
  }
}
