/** Converts a bank's rejection of a funding order, without blaming the partner for fields set by Havn. */
import { BankError, type OrderError } from '../banks/connector/bank-error.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { crossBorderOrderError } from './cross-border-order-error.ts'

/** The other fields, such as the provider's account and the reference code, are set by Havn. */
const PARTNER_FIELDS: readonly OrderError['field'][] = ['endToEndId', 'debtorAccount', 'debtorName', 'dueDate']

/** Returns the error for the partner. */
export function fundingOrderError(error: BankError): Error {
  const { kind, message, validationErrors } = error
  const ofPartner = validationErrors.filter(({ field }) => PARTNER_FIELDS.includes(field))
  if (kind !== 'order-rejected' || ofPartner.length > 0) {
    return crossBorderOrderError(new BankError(kind, message, ofPartner, error))
  }
  const reason = validationErrors.map(({ text }) => text).join('; ') || message
  const text = `The bank rejected the domestic payment with which Havn funds the exchange: ${reason}`
  return apiError('UNSUPPORTED_PRODUCT_BY_BANK', text)
}
