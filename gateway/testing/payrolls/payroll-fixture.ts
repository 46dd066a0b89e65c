/** Drives payrolls at sandbox banks as a partner and its users: initiation, SCA and statuses. */
import type { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollStatus } from '../../../contract/payrolls/payroll-response.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { payrollSubmissionSweep } from '../../orders/jobs.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../payments/payment-driver.ts'
import { CALLBACK } from '../payments/sample-payments.ts'

/** Banks of the sandbox by submission mode. */
export const PAYROLL_BANKS = {
  /** Lists the payments of a bulk in the bulk. */
  bulk: 'FJELNO22',
  /** Each payment of a bulk has its own id; bulks can be signed in one basket. */
  bulkOwnIds: 'VSKYNO22',
  baskets: 'MALBSESS',
  chain: 'HAVBNO22',
} as const

/** Operations; the default user is the one who initiates payments. */
export type PayrollFixture = {
  readonly payer: PaymentDriver
  /** A payroll of so many salaries, due on the next bank day; all its transactions differ. */
  payroll(bank: NordicBank, count: number, changes?: Partial<PayrollRequest>): PayrollRequest
  order(bank: NordicBank, payroll: PayrollRequest, idempotencyKey?: string): Promise<PayrollInitiated>
  /** Submits the transactions of ordered payrolls, as a worker would. */
  submit(): Promise<void>
  statusOf(payrollId: string): Promise<PayrollStatus>
  /** Number of transactions by status. */
  counts(payrollId: string): Promise<Readonly<Record<string, number>>>
  /** Approves and signs with the bank's SCA approach; returns the result of the approval. */
  sign(bank: NordicBank, payrollIds: readonly string[], userId?: string): Promise<string | null>
}

export function openPayrollFixture(gateway: TestGateway): PayrollFixture {
  const { client, context } = gateway
  const payer = openPaymentDriver(gateway)
  let ordered = 0
  const salaries = (bank: NordicBank, count: number) => {
    ordered += count
    return Array.from({ length: count }, (_none, n) => salary(bank, ordered - count + n + 1))
  }
  const submit = async () => {
    await runSweepsUntilIdle([payrollSubmissionSweep(context)])
  }
  const statusOf = (payrollId: string) => client.getPayrollStatus({ params: { payrollId } })
  return {
    payer,
    submit,
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
      await submit()
      const body = { payrolls: [...payrolls], callbackUrl: CALLBACK }
      const { id } = await client.approvePayrolls({ ...(await payer.consentOf(bank, userId)), body })
      const params = { approvalId: id, decision: 'sign' } as const
      const { outcome } = await client.decideSandboxApproval({ params, body: { userId } })
      await gateway.sweep()
      return outcome
    },
  }
}

/** One salary; amounts differ, so that a bank detects no duplicates. */
export function salary(
  bank: NordicBank,
  number: number,
  changes: Partial<PayrollTransactionRequest> = {},
): PayrollTransactionRequest {
  return {
    metadata: { endToEndId: `SAL-${process.pid}-${number}` },
    name: `Employee ${number}`,
    account: { bban: bank.supplier },
    amount: { amount: `${20_000 + number}.50`, currency: bank.currency },
    remittanceInformation: { type: 'message', value: `Salary ${number}` },
    ...changes,
  }
}
