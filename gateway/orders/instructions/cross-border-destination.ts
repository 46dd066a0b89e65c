/** Reads where a cross-border payment goes, as the rules of countries look at it. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { parseMoney } from '../../platform/money.ts'
import { messageOf } from './cross-border-message.ts'

/** The number is that of the member that `type` names. */
export function destinationOf(ordered: CrossBorderPayment): Destination {
  const { to, amount: asked } = ordered
  const { type, bic, iban, bban, clearingCode } = to.account
  const number = type === 'iban' ? { ...(iban !== undefined && { iban }) } : { ...(bban !== undefined && { bban }) }
  const amount = parseMoney(asked.amount, asked.currency)
  return {
    account: { ...number, bic, ...(clearingCode !== undefined && { clearingCode }) },
    address: to.contactInformation.address,
    currency: asked.currency,
    ...(amount !== undefined && { amount }),
    additionalInformation: ordered.remittanceInformation.additionalInformation ?? [],
    message: messageOf(ordered),
  }
}
