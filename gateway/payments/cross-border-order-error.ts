/** Converts a bank's rejection of a cross-border order into errors at the fields of the request. */

import type { ValidationCode } from '../../contract/errors/error-codes.ts'
import type { BankError, OrderError } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import { apiError, type ValidationError } from '../platform/http/errors/api-error.ts'
import { orderErrorAt } from './domestic-order-error.ts'

type FieldError = { readonly path: string; readonly code: ValidationCode }

const fieldErrorByField: Readonly<Record<OrderError['field'], FieldError>> = {
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

/** Returns the error for the partner. */
export function crossBorderOrderError(error: BankError): Error {
  return isBankError(error, 'due-date-rejected')
    ? apiError('UNSUPPORTED_DUE_DATE', `The bank does not accept the due date: ${error.message}`)
    : orderErrorAt(error, validationErrorOf)
}

function validationErrorOf({ field, member = 'it', text }: OrderError): ValidationError {
  return { ...fieldErrorByField[field], reason: `The bank does not accept ${member}: ${text}` }
}
