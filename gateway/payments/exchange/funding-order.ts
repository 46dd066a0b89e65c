/** Writes the domestic order that funds an exchange: what it costs, to the provider's account, with the reference code. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { DomesticOrder } from '../../banks/connector/domestic-order.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { bbanOf, checkAccountNumber } from '../../countries/account-number.ts'
import { transliterate } from '../../countries/character-sets.ts'
import type { Quote } from '../../fx/quotes/quote.ts'
import { bankOrderOf } from '../../orders/instructions/build-domestic-payment-order.ts'
import { printMoney } from '../../platform/money.ts'

/** What of a quote the order is made from. */
export type Funding = Pick<Quote, 'cost' | 'intermediary' | 'referenceCode' | 'fundingDate'>

/** The order as the debtor's bank is given it; the debtor's IBAN is the bank's own where it told one. */
export function fundingOrderOf(
  ordered: CrossBorderPayment,
  funding: Funding,
  { countryCode, profile }: Pick<Bank, 'countryCode' | 'profile'>,
  debtorIban: string | null,
): DomesticOrder {
  const { cost, intermediary, referenceCode, fundingDate } = funding
  const shortened = (name: string) => cut(transliterate(name), profile.constraints.maxInformationFieldLength)
  const { from, metadata } = ordered
  const domestic: DomesticPayment = {
    metadata,
    from: {
      account: { type: 'bban', bban: from.account.bban },
      contactInformation: { name: shortened(from.contactInformation.name) },
      currency: from.currency,
    },
    to: {
      account: { type: 'bban', bban: numberOf(intermediary) },
      contactInformation: { name: shortened(intermediary.holder.name) },
    },
    amount: printMoney(cost),
    dueDate: fundingDate.toString(),
    remittanceInformation: { type: 'message', value: referenceCode },
  }
  return bankOrderOf(domestic, countryCode, debtorIban)
}

/** The number by which its own country knows the account, whatever form the provider names it in. */
export function numberOf({ country, bban, iban }: Quote['intermediary']): string {
  const inside = iban === null ? undefined : bbanOf(iban)
  const checked = bban === null ? inside : checkAccountNumber(country, bban)
  const number = checked?.ok === true ? checked.bban : inside?.ok === true ? inside.bban : undefined
  if (number === undefined) {
    throw new Error('The provider named an account whose number is none of its country')
  }
  return number
}

/** Names may have 70 characters here, and fewer at some banks; the provider knows the payer by the reference. */
function cut(text: string, max: number): string {
  return [...text].slice(0, max).join('').trimEnd()
}
