/** Collects warnings about a valid payroll, which is submitted to the bank nevertheless. */
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { ValidDomesticPayment } from './domestic-payment-parts.ts'
import { domesticPaymentWarnings } from './domestic-payment-warnings.ts'
import { redactNumbers } from './payroll-rules.ts'
import type { ValidationContext } from './validation-context.ts'

const WARNINGS_MAX = 1_000

/** The field is mandatory in payrolls, so a warning that the bank ignores it is of no use. */
const FIXED_PURPOSE_PATH = '.purposeCode'

/** Where a field of a payment is in a payroll transaction. */
const pathInTransaction: Readonly<Record<string, string>> = {
  '.to.account.bban': '.account.bban',
  '.remittanceInformation': '.remittanceInformation',
}

/** Warnings that apply to all transactions come once and first, then those of each transaction in request order; 1,000 at most. */
export async function payrollWarnings(
  payments: readonly ValidDomesticPayment[],
  situation: ValidationContext,
): Promise<readonly PayrollWarning[]> {
  const common = new Map<string, PayrollWarning>()
  const single: PayrollWarning[] = []
  await mapYieldingToEventLoop(payments, (payment, position) => {
    for (const { paymentId: _none, ...warning } of domesticPaymentWarnings(payment, situation)) {
      const { path = '' } = warning
      const within = pathInTransaction[path]
      if (within === undefined) {
        common.set(path, laterOf(common.get(path), warning))
      } else if (single.length < WARNINGS_MAX) {
        const reason = redactNumbers(warning.reason ?? '')
        single.push({ ...warning, reason, path: `.transactions[${position}]${within}` })
      }
    }
  })
  common.delete(FIXED_PURPOSE_PATH)
  return [...common.values(), ...single].slice(0, WARNINGS_MAX)
}

/** Transactions may be executed on different days: the last day counts. */
function laterOf(current: PayrollWarning | undefined, warning: PayrollWarning): PayrollWarning {
  const [day = '', other = ''] = [current?.expectedExecutionDate, warning.expectedExecutionDate]
  return current !== undefined && day >= other ? current : warning
}

/** Warns of `payrollId`, an equal payroll of the last 24 hours. */
export function duplicatePayrollWarnings(payrollId: string | undefined): readonly PayrollWarning[] {
  const reason = 'A payroll with the same transactions was ordered within the last 24 hours'
  return payrollId === undefined ? [] : [{ code: 'PossibleDuplicate', reason, path: '.transactions', payrollId }]
}
