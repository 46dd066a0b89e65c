/** Finds the limits that apply to a domestic order: those of its rail, and those of payments to other banks. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank, DomesticRail, RailTerms } from '../../banks/directory/bank.ts'
import { isWithinBank, railTo, receiverOf } from '../../orders/instructions/resolve-creditor.ts'

/** What one order is judged by. */
export type OrderLimits = RailTerms & {
  readonly rail: DomesticRail
  readonly messageMax: number
  /** Whether the limit on the message is that of payments to other banks. */
  readonly isToOtherBank: boolean
}

type Parts = Pick<DomesticPayment, 'from' | 'to' | 'remittanceInformation'>

/** `isSound` says whether the parts that decide can be read; where they cannot, the widest limits apply. */
export function orderLimitsOf(order: Parts, bank: Bank, isSound: (path: string) => boolean): OrderLimits {
  const { rails, constraints } = bank.profile
  if (!isSound('.to.account.bban')) {
    const messageMax = rails.account.messageMax ?? constraints.maxUnstructuredRemittanceInfoLength
    return { ...rails.account, rail: 'account', messageMax, isToOtherBank: false }
  }
  const receiver = receiverOf(order, bank.countryCode)
  const rail = railTo(receiver)
  const terms = rails[rail] ?? rails.account
  const inside = constraints.maxUnstructuredRemittanceInfoLength
  const outside = constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  // Banks that make no difference are most of them: their orders are not compared with the tables of bank codes.
  const isToOtherBank =
    rail === 'account' &&
    terms.messageMax === null &&
    outside < inside &&
    isSound('.from.account.bban') &&
    !isWithinBank(order, receiver, bank.countryCode)
  return { ...terms, rail, messageMax: terms.messageMax ?? (isToOtherBank ? outside : inside), isToOtherBank }
}
