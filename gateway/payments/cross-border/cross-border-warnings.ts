/** What a partner should look at in a cross-border payment that passes the rules; it is handed to the bank all the same. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { carriedParts } from '../../banks/carried-parts.ts'
import type { Context } from '../../context.ts'
import { destinationWarnings } from '../../countries/requirements/destination-problems.ts'
import { destinationOf } from '../../orders/instructions/cross-border-destination.ts'
import { crossBorderExecution } from '../../orders/instructions/cross-border-execution-day.ts'
import type { Situation } from '../../orders/instructions/validation-context.ts'
import { withSubject } from '../../platform/http/errors/api-error.ts'
import { reportingOf } from './reporting-of.ts'
import { isExchanged } from './requires-exchange.ts'

/** In the order of the members that the interface lists. */
export async function crossBorderWarnings(
  context: Pick<Context, 'config' | 'clock' | 'database'>,
  order: CrossBorderPayment,
  situation: Situation,
): Promise<readonly PaymentWarning[]> {
  const reported = await reportingOf(context, order, situation.bank.countryCode)
  return [
    ...aboutReceiver(order),
    ...aboutDueDate(order, situation),
    ...aboutUntold(order, situation),
    ...reported
      .filter(({ isWarning }) => isWarning)
      .map(({ path, reason }) => withSubject({ code: 'ReportingUnverified', path, reason } as const)),
  ]
}

/** Genuine numbers exist that look wrong. */
function aboutReceiver(order: CrossBorderPayment): readonly PaymentWarning[] {
  const { type } = order.to.account
  return destinationWarnings(destinationOf(order))
    .filter(({ part }) => part === 'iban' || part === 'bban' || part === 'bic')
    .map(({ part, reason }) => ({
      code: 'AccountNumberUnverified',
      reason: part === 'bic' ? `The BIC ${reason}` : `The account number ${reason}`,
      path: `.to.account.${part === 'bic' ? part : type}`,
    }))
}

function aboutDueDate(order: CrossBorderPayment, { bank, localNow }: Situation): readonly PaymentWarning[] {
  const due = {
    dueDate: Temporal.PlainDate.from(order.dueDate),
    exchange: isExchanged(order) ? 'awaited' : null,
  } as const
  const { day, moved } = crossBorderExecution(due, bank, localNow)
  if (moved === 'no') {
    return []
  }
  const reason =
    moved === 'closed'
      ? `is no bank day; ${bank.name} carries the payment out on ${day}`
      : `comes after the cut-off of ${bank.name}, which carries the payment out on ${day} if it is signed now`
  return [
    withSubject({ code: 'DueDateMoved' as const, reason, path: '.dueDate', expectedExecutionDate: day.toString() }),
  ]
}

/** What was ordered and has no place in the bank's payments. */
function aboutUntold(
  { to, remittanceInformation: { debtorReference }, regulatoryReporting }: CrossBorderPayment,
  { bank }: Situation,
): readonly PaymentWarning[] {
  const carried = carriedParts(bank)
  const { clearingCode = false, regulatoryReporting: reporting = false } = carried.crossBorder ?? {}
  const untold = [
    ...(to.account.clearingCode !== undefined && !clearingCode ? ['.to.account.clearingCode'] : []),
    ...(debtorReference !== undefined && !carried.debtorReference ? ['.remittanceInformation.debtorReference'] : []),
    ...(regulatoryReporting !== undefined && !reporting ? ['.regulatoryReporting'] : []),
  ]
  const reason = `${bank.name} has no place for it in its payments; it is kept here and not told to the bank`
  return untold.map((path) => ({ code: 'NotCarriedByBank', reason, path }))
}
