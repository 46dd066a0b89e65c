/** Extracts the destination of a cross-border payment for the validation rules of countries. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { parseMoney } from '../../platform/money.ts'
import { crossBorderMessageOf } from './cross-border-message.ts'

/** Only the account number that `type` names is used. */
export function crossBorderDestinationOf(ordered: CrossBorderPayment): Destination {
  const { to, amount: requested } = ordered
  const { type, bic, iban, bban, clearingCode } = to.account
  const number = type === 'iban' ? { ...(iban !== undefined && { iban }) } : { ...(bban !== undefined && { bban }) }
  const amount = parseMoney(requested.amount, requested.currency)
  return {
    account: { ...number, bic, ...(clearingCode !== undefined && { clearingCode }) },
    address: to.contactInformation.address,
    currency: requested.currency,
    ...(amount !== undefined && { amount }),
    additionalInformation: ordered.remittanceInformation.additionalInformation ?? [],
    message: crossBorderMessageOf(ordered),
  }
}
