/** Creates and signs the measured payrolls: one company, at one bank per submission mode. */

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { PayrollCancellation } from '../../contract/payrolls/payroll-approval-operations.ts'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollStatus } from '../../contract/payrolls/payroll-response.ts'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { acceptedWithoutBrowser } from '../../gateway/testing/payments/payment-driver.ts'
import { CALLBACK } from '../../gateway/testing/payments/sample-payments.ts'
import { waitUntil } from '../../launcher/processes.ts'
import { HavnError } from '../../sdk/index.ts'
import { type RunningHavn, todayOf } from '../environment/running-havn.ts'

export type SubmittedPayroll = { readonly payrollId: string; readonly milliseconds: number }

/** The payroll operations at one bank. */
export type PayrollClient = {
  readonly bank: NordicBank
  /** When all transactions that are due have been paid. */
  readonly paidBy: string
  /** A payroll with this number of transactions, due on the next bank day. */
  payroll(count: number): PayrollRequest
  order(payroll: PayrollRequest): Promise<SubmittedPayroll>
  /** Requests the approval, again until every transaction is with the bank. */
  requestApproval(payrollId: string): Promise<string>
  /** Requests the approval, and has the user sign each authorisation. */
  sign(payrollId: string): Promise<void>
  /** Resolves when every transaction is with the bank. */
  submitted(payrollId: string): Promise<void>
  cancel(payrollId: string): Promise<PayrollCancellation>
  cancellation(id: string): Promise<PayrollCancellation>
  status(payrollId: string): Promise<PayrollStatus>
}

const RETRY_MILLISECONDS = 50
const SUBMISSION_TIMEOUT_MILLISECONDS = 120_000

/** Creates the client of the payer at a bank of the sandbox. */
export async function openPayrollClient(havn: RunningHavn, bic: string): Promise<PayrollClient> {
  const { client } = havn
  const bank = nordicBank(bic)
  const consented = await acceptedWithoutBrowser(havn, bank.users[0], bank)
  const today = await todayOf(havn)
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], today.add({ days: 1 })).toString()
  const requestApproval = async (payrollId: string): Promise<string> => {
    const until = performance.now() + SUBMISSION_TIMEOUT_MILLISECONDS
    for (;;) {
      try {
        return (await client.approvePayrolls({ ...consented, body: { payrollId, callbackUrl: CALLBACK } })).id
      } catch (error) {
        if (!(error instanceof HavnError && error.status === 503) || performance.now() > until) {
          throw error
        }
        await pause(RETRY_MILLISECONDS)
      }
    }
  }
  return {
    bank,
    paidBy: `${dueDate}T15:00:00Z`,
    payroll: (count) => payrollOf(bank, count, dueDate),
    order: async (body) => {
      const begun = performance.now()
      const { payrollId } = await client.initiatePayroll({ ...consented, body })
      return { payrollId, milliseconds: performance.now() - begun }
    },
    requestApproval,
    sign: async (payrollId) => {
      const params = { approvalId: await requestApproval(payrollId), decision: 'sign' } as const
      const { outcome } = await client.decideSandboxApproval({ params, body: { userId: bank.users[0] } })
      if (outcome !== 'success') {
        throw new Error(`The signing at ${bic} ended with ${outcome}`)
      }
    },
    submitted: async (payrollId) => {
      if (!(await waitUntil(() => isSubmitted(havn, payrollId), SUBMISSION_TIMEOUT_MILLISECONDS))) {
        throw new Error('The payroll was not submitted in time')
      }
    },
    cancel: async (payrollId) =>
      await client.cancelPayroll({ ...consented, body: { payrollId, callbackUrl: CALLBACK } }),
    cancellation: async (id) => await client.getPayrollCancellation({ ...consented, params: { id } }),
    status: (payrollId) => client.getPayrollStatus({ params: { payrollId } }),
  }
}

async function isSubmitted({ database }: RunningHavn, payrollId: string): Promise<boolean> {
  const { rows } = await database.pool.query("select from payrolls where id = $1 and state = 'submitted'", [payrollId])
  return rows.length > 0
}

/** Every transaction is different, also from those of other payrolls: some banks reject equal orders of one day. */
function payrollOf(bank: NordicBank, count: number, dueDate: string): PayrollRequest {
  const run = randomUUID().slice(0, 8)
  return {
    from: { account: { bban: bank.main }, name: bank.companyName },
    transactions: Array.from({ length: count }, (_, n) => ({
      metadata: { endToEndId: `${run}-${n}` },
      name: `Person ${n}`,
      account: { bban: bank.supplier },
      amount: { amount: (1 + n / 100).toFixed(2), currency: bank.currency },
      remittanceInformation: { type: 'message', value: `Salary ${run}` },
    })),
    dueDate,
    purposeCode: 'SALA',
  }
}
