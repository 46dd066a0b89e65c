/** Writes what a user sees of a payment before signing it; the same lines are kept as evidence. */
import type { Payment } from '../payments/payment.ts'
import { amountText, dayText } from '../signing/shown-text.ts'
import type { Shown } from '../signing/signing.ts'

/** Amount, receiver, accounts, date and reference. */
export function shownPayment({ amount, ordered, debtorBban, creditorBban, dueDate }: Payment): Shown {
  const remittance = ordered.remittanceInformation
  return [
    { label: 'Amount', value: amountText(amount) },
    { label: 'To', value: ordered.to.contactInformation.name },
    { label: 'To account', value: creditorBban },
    { label: 'From account', value: debtorBban },
    { label: 'Date', value: dayText(dueDate) },
    ...(remittance === undefined || !('value' in remittance)
      ? []
      : [{ label: remittance.type === 'message' ? 'Message' : 'Reference', value: remittance.value }]),
  ]
}
