/** What a partner should look at in a payroll that passes the rules; it is handed to the bank all the same. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollWarning } from '../../contract/payrolls/payroll-response.ts'
import type { Context } from '../context.ts'
import { warningsOn } from '../orders/instructions/domestic-payment-warnings.ts'
import type { Situation } from '../orders/instructions/validation-context.ts'
import { asDomestic } from '../orders/payroll/build-payroll-orders.ts'
import { findPayrollOfOrder } from '../orders/payroll/find-payroll-of-order.ts'
import { mapLettingOthersIn } from '../platform/yield-to-event-loop.ts'
import { currencyOf } from './keep-payroll.ts'
import type { Payroll } from './payroll.ts'
import { withoutNumbers } from './without-numbers.ts'

/** As many are told. */
const WARNINGS_MAX = 1_000

/** A payroll cannot leave it out: nobody need know which banks have no place for it. */
const NO_CHOICE = '.purposeCode'

/** Where a payment's part is in a payout. */
const pathInPayout: Readonly<Record<string, string>> = {
  '.to.account.bban': '.account.bban',
  '.remittanceInformation': '.remittanceInformation',
}

/** What is of every payout is told once; then the rest of each, in the order of the request: the first thousand. */
export async function warningsOnPayroll(
  ordered: PayrollAsked,
  situation: Situation,
): Promise<readonly PayrollWarning[]> {
  const dueDate = Temporal.PlainDate.from(ordered.dueDate)
  const terms = { currency: currencyOf(ordered.transactions), dueDate }
  const whole = new Map<string, PayrollWarning>()
  const single: PayrollWarning[] = []
  await mapLettingOthersIn(ordered.transactions, (payout, position) => {
    for (const { paymentId: _none, ...warning } of warningsOn(asDomestic(ordered, payout, terms), situation)) {
      const { path = '' } = warning
      const within = pathInPayout[path]
      if (within === undefined) {
        whole.set(path, laterOf(whole.get(path), warning))
      } else if (single.length < WARNINGS_MAX) {
        const reason = withoutNumbers(warning.reason ?? '')
        single.push({ ...warning, reason, path: `.transactions[${position}]${within}` })
      }
    }
  })
  whole.delete(NO_CHOICE)
  return [...whole.values(), ...single].slice(0, WARNINGS_MAX)
}

/** Payouts may leave on different days: the last of them counts. */
function laterOf(told: PayrollWarning | undefined, warning: PayrollWarning): PayrollWarning {
  const [day = '', other = ''] = [told?.expectedExecutionDate, warning.expectedExecutionDate]
  return told !== undefined && day >= other ? told : warning
}

/** `duplicateOf` is an equal order of the last 24 hours. */
export async function duplicateWarnings(
  context: Pick<Context, 'database'>,
  { partnerId }: Pick<Payroll, 'partnerId'>,
  duplicateOf: string | null,
): Promise<readonly PayrollWarning[]> {
  return equalWarnings(
    duplicateOf === null ? undefined : await findPayrollOfOrder(context, { partnerId, id: duplicateOf }),
  )
}

/** `payrollId` is an equal payroll of the last 24 hours. */
export function equalWarnings(payrollId: string | undefined): readonly PayrollWarning[] {
  const reason = 'A payroll with the same payouts was ordered within the last 24 hours'
  return payrollId === undefined ? [] : [{ code: 'PossibleDuplicate', reason, path: '.transactions', payrollId }]
}
