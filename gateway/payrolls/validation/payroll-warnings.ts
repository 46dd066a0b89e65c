/** Collects warnings about a valid payroll, which is submitted to the bank nevertheless. */
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import { asValidPayment, parseDebtor, parseDomesticPaymentParts } from '../../orders/parse/domestic-payment-parts.ts'
import { domesticPaymentWarnings } from '../../orders/parse/domestic-payment-warnings.ts'
import type { ValidationContext } from '../../orders/parse/validation-context.ts'
import { toDomesticPayment } from '../../orders/payroll/build-payroll-orders.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { currencyOfTransactions } from '../submission/create-payroll.ts'
import { redactNumbers } from './redact-numbers.ts'

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
  ordered: PayrollRequest,
  situation: ValidationContext,
): Promise<readonly PayrollWarning[]> {
  const dueDate = Temporal.PlainDate.from(ordered.dueDate)
  const terms = { currency: currencyOfTransactions(ordered.transactions), dueDate }
  const common = new Map<string, PayrollWarning>()
  const single: PayrollWarning[] = []
  const { countryCode } = situation.bank
  const debtor = parseDebtor(countryCode, ordered.from.account.bban)
  await mapYieldingToEventLoop(ordered.transactions, (transaction, position) => {
    const payment = toDomesticPayment(ordered, transaction, terms)
    const valid = asValidPayment(parseDomesticPaymentParts(payment, countryCode, debtor, () => true))
    for (const { paymentId: _none, ...warning } of valid ? domesticPaymentWarnings(valid, situation) : []) {
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
