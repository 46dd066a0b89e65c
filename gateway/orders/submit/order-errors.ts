/** Converts a bank's rejection of an order into errors at the fields of the request; of a payroll without the bank's text. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import { BankError, type OrderError } from '../../banks/connector/bank-error.ts'
import { bankErrorToApiError, isBankError, isOfKind } from '../../banks/connector/bank-error-classification.ts'
import { ApiError, apiError, InvalidRequestError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { bankErrorMessage } from '../redact-bank-text.ts'

type FieldError = { readonly path: string; readonly code: ValidationCode; readonly tooLong?: ValidationCode }
type FieldErrors = Readonly<Record<OrderError['field'], FieldError>>

const ofDomesticPayment: FieldErrors = {
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

const ofCrossBorderPayment: FieldErrors = {
  endToEndId: { path: '.metadata.endToEndId', code: 'InvalidRequest' },
  debtorAccount: { path: '.from.account.bban', code: 'InvalidFromAccount' },
  debtorName: { path: '.from.contactInformation.name', code: 'InvalidRequest' },
  creditorAccount: { path: '.to.account', code: 'InvalidBbanOrIban' },
  creditorName: { path: '.to.contactInformation.name', code: 'InvalidRequest' },
  creditorAgent: { path: '.to.account.bic', code: 'InvalidBIC' },
  creditorAddress: { path: '.to.contactInformation.address', code: 'InvalidToAddress' },
  regulatoryReporting: { path: '.regulatoryReporting', code: 'InvalidRequest' },
  amount: { path: '.amount', code: 'InvalidRequest' },
  dueDate: { path: '.dueDate', code: 'InvalidDueDate' },
  remittance: { path: '.remittanceInformation.message', code: 'InvalidRequest' },
  other: { path: '.', code: 'InvalidRequest' },
}

function codeOf({ code, tooLong = code }: FieldError, { cause }: OrderError): ValidationCode {
  return ({ characters: 'InvalidCharacters', 'too-long': tooLong, invalid: code } as const)[cause]
}

/** Returns the error of a domestic payment for the partner. */
export function domesticOrderError(error: BankError): Error {
  return orderErrorAt(error, (orderError) => {
    const fieldError = ofDomesticPayment[orderError.field]
    return { code: codeOf(fieldError, orderError), reason: reasonOf(orderError), path: fieldError.path }
  })
}

/** Returns the error of a cross-border payment for the partner. */
export function crossBorderOrderError(error: BankError): Error {
  return isBankError(error, 'due-date-rejected')
    ? apiError('UNSUPPORTED_DUE_DATE', `The bank does not accept the due date: ${error.message}`)
    : orderErrorAt(error, (orderError) => ({
        ...ofCrossBorderPayment[orderError.field],
        reason: reasonOf(orderError),
      }))
}

/** The other fields of a funding order, such as the provider's account and the reference code, are set by Havn. */
const FUNDING_FIELDS_OF_PARTNER: readonly OrderError['field'][] = [
  'endToEndId',
  'debtorAccount',
  'debtorName',
  'dueDate',
]

/** Returns the error of a funding order for the partner, who is not blamed for fields set by Havn. */
export function fundingOrderError(error: BankError): Error {
  const { kind, message, validationErrors } = error
  if (kind !== 'order-rejected') {
    return crossBorderOrderError(error)
  }
  const ofPartner = validationErrors.filter(({ field }) => FUNDING_FIELDS_OF_PARTNER.includes(field))
  if (ofPartner.length > 0) {
    return crossBorderOrderError(new BankError(kind, message, ofPartner))
  }
  const reason = validationErrors.map(({ text }) => text).join('; ') || message
  const text = `The bank rejected the domestic payment with which Havn funds the exchange: ${reason}`
  return apiError('UNSUPPORTED_PRODUCT_BY_BANK', text)
}

function orderErrorAt(error: BankError, toValidationError: (validationError: OrderError) => ValidationError): Error {
  if (isOfKind(error, 'account-unknown')) {
    return apiError('ACCESS_DENIED', `The bank does not know the debtor account: ${error.message}`)
  }
  return isOfKind(error, 'order-rejected') && error.validationErrors.length > 0
    ? new InvalidRequestError(error.validationErrors.map(toValidationError))
    : bankErrorToApiError(error)
}

function reasonOf({ member = 'it', text }: OrderError): string {
  return `The bank does not accept ${member}: ${text}`
}

type Paths = Readonly<Partial<Record<OrderError['field'], string>>>

/** Paths of the fields of a payment below a payroll. */
const pathInPayroll: Paths = { debtorAccount: '.from.account.bban', debtorName: '.from.name', dueDate: '.dueDate' }

/** Paths of its other fields below a transaction. */
const pathInTransaction: Paths = {
  endToEndId: '.metadata.endToEndId',
  creditorAccount: '.account.bban',
  creditorAgent: '.account.bban',
  creditorName: '.name',
  amount: '.amount.amount',
  remittance: '.remittanceInformation',
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
  const { position, field, member } = validationError
  const inTransaction =
    position === undefined ? '.transactions' : `.transactions[${position}]${pathInTransaction[field] ?? ''}`
  return {
    code: codeOf(ofDomesticPayment[field], validationError),
    reason: bankErrorMessage({ kind: 'order-rejected', validationErrors: [validationError] }),
    path: pathInPayroll[field] ?? (position === undefined && member !== undefined ? '.' : inTransaction),
  }
}
