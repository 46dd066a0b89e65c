/** Converts a bank's rejection of an order into errors at the fields of the request. */
import type { ValidationCode } from '../../contract/errors/error-codes.ts'
import type { BankError, OrderError } from '../banks/connector/bank-error.ts'
import { bankErrorToApiError, isOfKind } from '../banks/connector/bank-error-classification.ts'
import { apiError, InvalidRequestError, type ValidationError } from '../platform/http/errors/api-error.ts'

type FieldError = { readonly path: string; readonly code: ValidationCode; readonly tooLong?: ValidationCode }

const fieldErrorByField: Readonly<Record<OrderError['field'], FieldError>> = {
  endToEndId: { path: '.metadata.endToEndId', code: 'InvalidRequest' },
  debtorAccount: { path: '.from.account.bban', code: 'InvalidBBAN' },
  debtorName: { path: '.from.contactInformation.name', code: 'InvalidRequest', tooLong: 'SenderNameTooLong' },
  creditorAccount: { path: '.to.account.bban', code: 'InvalidAccountNumber' },
  creditorName: { path: '.to.contactInformation.name', code: 'InvalidRequest', tooLong: 'RecipientNameTooLong' },
  creditorAgent: { path: '.to.account.bban', code: 'InvalidAccountNumber' },
  creditorAddress: { path: '.to.contactInformation.address', code: 'InvalidRequest' },
  regulatoryReporting: { path: '.', code: 'InvalidRequest' },
  amount: { path: '.amount.amount', code: 'InvalidAmount' },
  dueDate: { path: '.dueDate', code: 'InvalidDueDate' },
  remittance: { path: '.remittanceInformation', code: 'InvalidRemittanceInfo' },
  other: { path: '.', code: 'InvalidRequest' },
}

/** Returns the error for the partner. */
export function domesticOrderError(error: BankError): Error {
  return orderErrorAt(error, validationErrorOf)
}

/** Returns the error for an order of any type; `toValidationError` maps a rejected field to its path and code. */
export function orderErrorAt(
  error: BankError,
  toValidationError: (validationError: OrderError) => ValidationError,
): Error {
  if (isOfKind(error, 'account-unknown')) {
    return apiError('ACCESS_DENIED', `The bank does not know the debtor account: ${error.message}`)
  }
  return isOfKind(error, 'order-rejected') && error.validationErrors.length > 0
    ? new InvalidRequestError(error.validationErrors.map(toValidationError))
    : bankErrorToApiError(error)
}

function validationErrorOf({ field, member = 'it', cause, text }: OrderError): ValidationError {
  const { path, code, tooLong } = fieldErrorByField[field]
  const reason = `The bank does not accept ${member}: ${text}`
  switch (cause) {
    case 'characters':
      return { code: 'InvalidCharacters', reason, path }
    case 'too-long':
      return { code: tooLong ?? code, reason, path }
    case 'invalid':
      return { code, reason, path }
  }
}
