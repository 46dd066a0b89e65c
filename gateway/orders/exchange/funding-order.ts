/** Builds the domestic order that funds an exchange: the cost, the FX provider's account and the reference code. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import { transliterate } from '../../countries/character-sets.ts'
import { intermediaryAccountNumber } from '../../fx/quotes/intermediary-account.ts'
import type { Quote } from '../../fx/store/quote.ts'
import { formatMoney } from '../../platform/money.ts'
import type { ValidCrossBorderPayment } from '../parse/cross-border-parts.ts'
import { type ListedDebtor, orderOfAcceptedPayment, withListedDebtor } from '../parse/domestic-payment-parts.ts'

/** The properties of a quote that determine the order. */
export type Funding = Pick<Quote, 'cost' | 'intermediary' | 'referenceCode' | 'fundingDate'>

/** Returns the order for the debtor's bank, whose own IBAN of the debtor takes precedence over the computed one. */
export function fundingOrderOf(
  { ordered: { from, metadata, remittanceInformation }, debtor }: ValidCrossBorderPayment,
  funding: Funding,
  { countryCode, profile }: Pick<Bank, 'countryCode' | 'profile'>,
  listed: ListedDebtor,
): DomesticOrder {
  const { cost, intermediary, referenceCode, fundingDate } = funding
  const { debtorReference } = remittanceInformation
  const shortened = (name: string) => truncate(transliterate(name), profile.constraints.maxInformationFieldLength)
  const domestic: DomesticPayment = {
    metadata,
    from: {
      account: { type: 'bban', bban: from.account.bban },
      contactInformation: { name: shortened(from.contactInformation.name) },
      currency: from.currency,
    },
    to: {
      account: { type: 'bban', bban: intermediaryAccountNumber(intermediary) ?? '' },
      contactInformation: { name: shortened(intermediary.holder.name) },
    },
    amount: formatMoney(cost),
    dueDate: fundingDate.toString(),
    remittanceInformation: {
      type: 'message',
      value: referenceCode,
      ...(debtorReference !== undefined && { debtorReference }),
    },
  }
  return withListedDebtor(orderOfAcceptedPayment(domestic, countryCode, debtor), listed)
}

/** Some banks accept shorter names than our 70 characters; the provider identifies the payer by the reference. */
function truncate(text: string, max: number): string {
  return [...text].slice(0, max).join('').trimEnd()
}
