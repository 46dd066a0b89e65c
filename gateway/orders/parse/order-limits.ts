/** Determines the limits of a domestic order: those of its rail and those of payments to other banks. */
import type { Bank, RailTerms } from '../../banks/directory/bank.ts'
import type { DomesticRail } from '../../countries/country.ts'
import type { DomesticPaymentParts } from './domestic-payment-parts.ts'

/** The limits of one order. */
export type OrderLimits = RailTerms & {
  readonly rail: DomesticRail
  readonly messageMax: number
  /** Whether the limit on the message is that of payments to other banks. */
  readonly isToOtherBank: boolean
}

/** Where one of the two account numbers is invalid, the widest limits apply. */
export function orderLimitsOf(
  { debtor, creditor, rail, isIntraBank }: Pick<DomesticPaymentParts, 'debtor' | 'creditor' | 'rail' | 'isIntraBank'>,
  { profile: { rails, constraints } }: Bank,
): OrderLimits {
  const terms = rails[rail] ?? rails.account
  const messageMaxInside = constraints.maxUnstructuredRemittanceInfoLength
  const messageMaxOutside = constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  const isToOtherBank =
    rail === 'account' &&
    terms.messageMax === null &&
    messageMaxOutside < messageMaxInside &&
    debtor.bban !== '' &&
    creditor.ok &&
    !isIntraBank
  return {
    ...terms,
    rail,
    messageMax: terms.messageMax ?? (isToOtherBank ? messageMaxOutside : messageMaxInside),
    isToOtherBank,
  }
}
