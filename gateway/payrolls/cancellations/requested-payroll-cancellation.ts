/** A validated request to cancel a payroll, with its caller, bank and orders. */
import type { PayrollCancellationRequest } from '../../../contract/payrolls/payroll-approval-operations.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { ConsentActor } from '../../consents/consent.ts'
import type { CancellablePayroll } from './require-cancellable-payroll.ts'

export type RequestedPayrollCancellation = CancellablePayroll & {
  readonly caller: ConsentActor
  readonly bank: Bank
  readonly request: PayrollCancellationRequest
  /** Until when, in wall time, the user waits; a sweep cancels the rest. */
  readonly waitUntil: Temporal.Instant
}
