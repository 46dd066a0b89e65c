/** What a user wishes who cancels a payroll. */
import type { PayrollCancellationAsked } from '../../../contract/payrolls/payroll-approval-operations.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { CancellablePayroll } from './require-cancellable-payroll.ts'

export type PayrollWish = CancellablePayroll & {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly asked: PayrollCancellationAsked
}
