/** Says why a bank rejected the order that funds an exchange, without blaming the partner for parts that Havn wrote. */
import { BankRefusal, type OrderProblem } from '../../banks/connector/bank-error.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { refusalOfCrossBorderOrder } from '../cross-border/cross-border-order-error.ts'

/** The rest, the provider's account and the reference code among it, is not of the partner's making. */
const WRITTEN_BY_PARTNER: readonly OrderProblem['field'][] = ['endToEndId', 'debtorAccount', 'debtorName', 'dueDate']

/** The refusal that a partner reads. */
export function refusalOfFundingOrder(refusal: BankRefusal): Error {
  const { kind, message, problems } = refusal
  const ofPartner = problems.filter(({ field }) => WRITTEN_BY_PARTNER.includes(field))
  if (kind !== 'order-refused' || ofPartner.length > 0) {
    return refusalOfCrossBorderOrder(new BankRefusal(kind, message, ofPartner, refusal))
  }
  const told = problems.map(({ text }) => text).join('; ') || message
  const text = `The bank does not take the domestic payment that funds the exchange, which Havn writes: ${told}`
  return refuse('UNSUPPORTED_PRODUCT_BY_BANK', text)
}
