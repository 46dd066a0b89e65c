/** Builds the domestic order that funds an exchange: the cost, the FX provider's account and the reference code. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import { bbanOf, checkAccountNumber } from '../../countries/account-number.ts'
import { transliterate } from '../../countries/character-sets.ts'
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
      account: { type: 'bban', bban: intermediaryAccountNumber(intermediary) },
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

/** Returns the national account number, whichever form the provider uses. */
export function intermediaryAccountNumber({ country, bban, iban }: Quote['intermediary']): string {
  const fromIban = iban === null ? undefined : bbanOf(iban)
  const checked = bban === null ? fromIban : checkAccountNumber(country, bban)
  const number = checked?.ok === true ? checked.bban : fromIban?.ok === true ? fromIban.bban : undefined
  if (number === undefined) {
    throw new Error('The FX provider returned an account number that is invalid in its country')
  }
  return number
}

/** Some banks accept shorter names than our 70 characters; the provider identifies the payer by the reference. */
function truncate(text: string, max: number): string {
  return [...text].slice(0, max).join('').trimEnd()
}
