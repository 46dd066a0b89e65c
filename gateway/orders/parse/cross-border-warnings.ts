/** Lists the warnings about a valid cross-border payment, which is submitted nevertheless. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { supportedOrderFields } from '../../banks/directory/supported-order-fields.ts'
import type { DestinationWarning } from '../../countries/destinations/destination.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import type { ValidCrossBorderPayment } from './cross-border-parts.ts'
import type { LocatedReportingFinding } from './exchange-validation.ts'
import { crossBorderExecutionDay } from './execution-day.ts'
import type { ValidationContext } from './validation-context.ts'

/** In the order of the fields in the API; `findings` are those of the validation. */
export function crossBorderWarnings(
  payment: ValidCrossBorderPayment,
  validation: ValidationContext,
  findings: {
    readonly destination: readonly DestinationWarning[]
    readonly reporting: readonly LocatedReportingFinding[]
  },
): readonly PaymentWarning[] {
  const { ordered } = payment
  return [
    ...creditorWarnings(ordered, findings.destination),
    ...dueDateWarnings(payment, validation),
    ...notCarriedWarnings(ordered, validation),
    ...findings.reporting
      .filter(({ isWarning }) => isWarning)
      .map(({ path, reason }) => withSubject({ code: 'ReportingUnverified', path, reason } as const)),
  ]
}

/** Some genuine numbers look invalid. */
function creditorWarnings(
  { to }: CrossBorderPayment,
  warnings: readonly DestinationWarning[],
): readonly PaymentWarning[] {
  return warnings
    .filter(({ part }) => part === 'iban' || part === 'bban' || part === 'bic')
    .map(({ part, reason }) => ({
      code: 'AccountNumberUnverified',
      reason: part === 'bic' ? `The BIC ${reason}` : `The account number ${reason}`,
      path: `.to.account.${part === 'bic' ? part : to.account.type}`,
    }))
}

function dueDateWarnings(
  { dueDate, requiresExchange }: ValidCrossBorderPayment,
  { bank, localNow }: ValidationContext,
): readonly PaymentWarning[] {
  const exchange = requiresExchange ? 'unsigned' : null
  const { day, moved } = crossBorderExecutionDay({ dueDate, exchange }, bank, localNow)
  if (moved === 'no') {
    return []
  }
  const reason =
    moved === 'closed'
      ? `is not a bank day; ${bank.name} executes the payment on ${day}`
      : `comes after the cut-off of ${bank.name}, which executes the payment on ${day} if it is signed now`
  return [
    withSubject({ code: 'DueDateMoved' as const, reason, path: '.dueDate', expectedExecutionDate: day.toString() }),
  ]
}

/** Warns of fields that the bank's payments cannot carry. */
function notCarriedWarnings(
  { to, remittanceInformation: { debtorReference }, regulatoryReporting }: CrossBorderPayment,
  { bank }: ValidationContext,
): readonly PaymentWarning[] {
  const supportedFields = supportedOrderFields(bank)
  const { clearingCode = false, regulatoryReporting: reporting = false } = supportedFields.crossBorder ?? {}
  const unsupportedPaths = [
    ...(to.account.clearingCode !== undefined && !clearingCode ? ['.to.account.clearingCode'] : []),
    ...(debtorReference !== undefined && !supportedFields.debtorReference
      ? ['.remittanceInformation.debtorReference']
      : []),
    ...(regulatoryReporting !== undefined && !reporting ? ['.regulatoryReporting'] : []),
  ]
  const reason = `${bank.name} does not support this field; it is stored here and not sent to the bank`
  return unsupportedPaths.map((path) => ({ code: 'NotCarriedByBank', reason, path }))
}
