/** Extracts the destination of a cross-border payment for the validation rules of countries. */
import type { AdditionalInformation, CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { transliterate } from '../../countries/character-sets.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { parseMoney } from '../../platform/money.ts'

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

const labelByType: Readonly<Record<AdditionalInformation['type'], string>> = {
  Purpose: 'purpose',
  Reason: 'reason',
  TaxCode: 'tax code',
}

/**
 * One text in the permitted characters. The standard's cross-border product has no fields for purpose, reason and tax
 * code: what the destination requires is put in front of the message (decision 0070).
 */
export function crossBorderMessageOf({
  remittanceInformation: { message, additionalInformation = [] },
}: Pick<CrossBorderPayment, 'remittanceInformation'>): string {
  const required = additionalInformation.map(({ type, value }) => `${labelByType[type]} ${value.trim()}`)
  return transliterate([...required, message.trim()].join(', '))
}

/** The currencies of an order, which may not be validated yet. */
type Currencies = {
  readonly amount?: { readonly currency?: unknown }
  readonly from?: { readonly currency?: unknown }
}

/** Whether the creditor receives another currency than that of the debtor account. */
export function requiresExchange({ amount, from }: Currencies): boolean {
  const [paid, held] = [amount?.currency, from?.currency]
  return typeof paid === 'string' && typeof held === 'string' && paid !== held
}
