/** Writes what a user sees of a payment before signing it; the same lines are kept as evidence. */
import type { Payment } from '../payments/payment.ts'
import { type ShownThing, shownAmount, shownDay, shownText } from '../signing/shown.ts'

/** Amount, receiver, accounts, date and reference. */
export function shownPayment({ amount, ordered, debtorBban, creditorBban, dueDate }: Payment): ShownThing {
  const remittance = ordered.remittanceInformation
  return [
    shownAmount(amount),
    shownText('to', ordered.to.contactInformation.name),
    { label: 'to-account', value: creditorBban, kind: 'account' },
    { label: 'from-account', value: debtorBban, kind: 'account' },
    shownDay('date', dueDate),
    ...(remittance === undefined || !('value' in remittance)
      ? []
      : [shownText(remittance.type === 'message' ? 'message' : 'reference', remittance.value)]),
  ]
}
