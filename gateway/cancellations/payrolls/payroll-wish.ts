/** What a user wishes who cancels a payroll. */
import type { PayrollCancellationAsked } from '../../../contract/payroll-signing.ts'
import type { Bank } from '../../banks/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { CancellablePayroll } from './require-cancellable-payroll.ts'

export type PayrollWish = CancellablePayroll & {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly asked: PayrollCancellationAsked
}
