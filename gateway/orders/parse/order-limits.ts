/** Determines the limits of a domestic order: those of its rail and those of payments to other banks. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank, RailTerms } from '../../banks/directory/bank.ts'
import type { DomesticRail } from '../../countries/country.ts'
import { isIntraBank, railOfCreditor, resolveCreditor } from './resolve-creditor.ts'

/** The limits of one order. */
export type OrderLimits = RailTerms & {
  readonly rail: DomesticRail
  readonly messageMax: number
  /** Whether the limit on the message is that of payments to other banks. */
  readonly isToOtherBank: boolean
}

type Parts = Pick<DomesticPayment, 'from' | 'to' | 'remittanceInformation'>

/** `isValid` states whether the fields that determine the rail are valid; otherwise the widest limits apply. */
export function orderLimitsOf(order: Parts, bank: Bank, isValid: (path: string) => boolean): OrderLimits {
  const { rails, constraints } = bank.profile
  if (!isValid('.to.account.bban')) {
    const messageMax = rails.account.messageMax ?? constraints.maxUnstructuredRemittanceInfoLength
    return { ...rails.account, rail: 'account', messageMax, isToOtherBank: false }
  }
  const receiver = resolveCreditor(order, bank.countryCode)
  const rail = railOfCreditor(receiver)
  const terms = rails[rail] ?? rails.account
  const messageMaxInside = constraints.maxUnstructuredRemittanceInfoLength
  const messageMaxOutside = constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  // Most banks have a single limit: their orders are not compared with the tables of bank codes.
  const isToOtherBank =
    rail === 'account' &&
    terms.messageMax === null &&
    messageMaxOutside < messageMaxInside &&
    isValid('.from.account.bban') &&
    !isIntraBank(order, receiver, bank.countryCode)
  return {
    ...terms,
    rail,
    messageMax: terms.messageMax ?? (isToOtherBank ? messageMaxOutside : messageMaxInside),
    isToOtherBank,
  }
}
