/** Converts a bank's rejection of a payroll into an API error with the paths of the request, without the bank's text. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { BankError, OrderError } from '../../banks/connector/bank-error.ts'
import { bankErrorToApiError, isOfKind } from '../../banks/connector/bank-error-classification.ts'
import { ApiError, apiError, InvalidRequestError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { bankErrorMessage } from '../redact-bank-text.ts'

type FieldLocation = { readonly path: string; readonly code: ValidationCode; readonly tooLong?: ValidationCode }

/** Paths below a transaction. */
const fieldOfTransaction: Readonly<Partial<Record<OrderError['field'], FieldLocation>>> = {
  endToEndId: { path: '.metadata.endToEndId', code: 'InvalidRequest' },
  creditorAccount: { path: '.account.bban', code: 'InvalidAccountNumber' },
  creditorAgent: { path: '.account.bban', code: 'InvalidAccountNumber' },
  creditorName: { path: '.name', code: 'InvalidRequest', tooLong: 'RecipientNameTooLong' },
  amount: { path: '.amount.amount', code: 'InvalidAmount' },
  remittance: { path: '.remittanceInformation', code: 'InvalidRemittanceInfo' },
}

/** Paths below the payroll. */
const fieldOfPayroll: Readonly<Partial<Record<OrderError['field'], FieldLocation>>> = {
  debtorAccount: { path: '.from.account.bban', code: 'InvalidBBAN' },
  debtorName: { path: '.from.name', code: 'InvalidRequest', tooLong: 'SenderNameTooLong' },
  dueDate: { path: '.dueDate', code: 'InvalidDueDate' },
}

/** The error for the partner; the bank's text is left out because it may repeat names, accounts and amounts. */
export function toPayrollApiError(error: BankError): Error {
  if (isOfKind(error, 'account-unknown')) {
    return apiError('ACCESS_DENIED', 'The bank does not know the debtor account')
  }
  // This text is none of the bank's, and says that nothing was submitted.
  if (isOfKind(error, 'unavailable')) {
    return bankErrorToApiError(error)
  }
  return isOfKind(error, 'order-rejected') && error.validationErrors.length > 0
    ? new InvalidRequestError(error.validationErrors.map(validationErrorOf))
    : toRedactedApiError(error)
}

/** The general error of an order, without the bank's text, but with the paths of the transactions concerned. */
function toRedactedApiError(error: BankError): Error {
  const original = bankErrorToApiError(error)
  const paths = error.validationErrors.map((validationError) => validationErrorOf(validationError).path)
  const text = [bankErrorMessage(error), ...(paths.length === 0 ? [] : [paths.join(', ')])].join(': ')
  if (original instanceof InvalidRequestError) {
    return new InvalidRequestError(
      original.validationErrors.map((validationError) => ({ ...validationError, reason: text })),
    )
  }
  return original instanceof ApiError ? new ApiError(original.reasonCode, text, original.extras) : original
}

function validationErrorOf(validationError: OrderError): ValidationError {
  const { position, field, member, cause } = validationError
  const payout = position === undefined ? '.transactions' : `.transactions[${position}]`
  const within = position === undefined ? undefined : fieldOfTransaction[field]
  const { path, code, tooLong } = fieldOfPayroll[field] ?? {
    path: position === undefined && member !== undefined ? '.' : `${payout}${within?.path ?? ''}`,
    code: fieldOfTransaction[field]?.code ?? 'InvalidRequest',
    tooLong: fieldOfTransaction[field]?.tooLong,
  }
  const codes: Readonly<Record<OrderError['cause'], ValidationCode>> = {
    characters: 'InvalidCharacters',
    'too-long': tooLong ?? code,
    invalid: code,
  }
  return {
    code: codes[cause],
    reason: bankErrorMessage({ kind: 'order-rejected', validationErrors: [validationError] }),
    path,
  }
}
