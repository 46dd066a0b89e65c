/** Maps errors of FX providers, and a quote that is booked already, to the error codes of payments. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import {
  type FxField,
  type FxFieldError,
  type FxProviderError,
  isTransient,
} from '../../fx/providers/fx-provider-error.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import {
  apiError,
  InvalidRequestError,
  invalidRequest,
  type ValidationError,
} from '../../platform/http/errors/api-error.ts'

type FieldError = { readonly path: string; readonly code: ValidationCode }

const ACCOUNT = '.to.account'
const INFORMATION = '.remittanceInformation.additionalInformation'
const ADDRESS = '.to.contactInformation.address'

const fieldErrorByPart: Readonly<Record<FxField, FieldError>> = {
  name: { path: '.to.contactInformation.name', code: 'InvalidRequest' },
  iban: { path: ACCOUNT, code: 'InvalidIbanFormat' },
  bban: { path: ACCOUNT, code: 'InvalidBbanOrIban' },
  bic: { path: `${ACCOUNT}.bic`, code: 'InvalidBIC' },
  clearingCode: { path: `${ACCOUNT}.clearingCode`, code: 'InvalidRequest' },
  currency: { path: '.amount.currency', code: 'InvalidRequest' },
  country: { path: `${ADDRESS}.country`, code: 'InvalidBeneficiaryCountry' },
  bankCountry: { path: `${ACCOUNT}.bic`, code: 'InvalidBeneficiaryCountry' },
  'address.street': { path: `${ADDRESS}.streetName`, code: 'InvalidToAddress' },
  'address.city': { path: `${ADDRESS}.city`, code: 'InvalidToAddress' },
  'address.postCode': { path: `${ADDRESS}.postCode`, code: 'InvalidToAddress' },
  'address.state': { path: ADDRESS, code: 'InvalidToAddress' },
  taxCode: { path: INFORMATION, code: 'InvalidRequest' },
  amount: { path: '.amount.amount', code: 'InvalidRequest' },
  amountScale: { path: '.amount.amount', code: 'InvalidQuoteCurrencyScale' },
  buyCurrency: { path: '.amount.currency', code: 'InvalidRequest' },
  sellCurrency: { path: '.from.currency', code: 'InvalidRequest' },
  dueDate: { path: '.dueDate', code: 'InvalidDueDate' },
  reference: { path: '.remittanceInformation.message', code: 'InvalidRequest' },
  reason: { path: INFORMATION, code: 'InvalidRequest' },
  purposeCode: { path: INFORMATION, code: 'InvalidRequest' },
  payer: { path: '.from.contactInformation', code: 'InvalidRequest' },
}

const BODY_ERROR: FieldError = { path: '.', code: 'InvalidRequest' }
const UNSPECIFIC: FxFieldError = { part: null, code: '', message: '' }

/**
 * Returns the error for the partner, without the message of the error, which is for the log. When the provider failed, no
 * money has moved and the partner may retry.
 */
export function exchangeError(error: FxProviderError): Error {
  const { kind, validationErrors, retryAfterSeconds } = error
  switch (kind) {
    case 'invalid':
      return new InvalidRequestError(
        validationErrors.length === 0 ? [validationErrorOf(UNSPECIFIC)] : validationErrors.map(validationErrorOf),
      )
    case 'currency-not-traded':
      return new InvalidRequestError([
        { ...fieldErrorByPart.buyCurrency, reason: 'is not traded against the currency of the debtor account' },
      ])
    case 'due-date-rejected':
      return apiError('UNSUPPORTED_DUE_DATE', 'The FX provider does not trade the currency for this due date')
    case 'limit':
      return new InvalidRequestError([
        { ...fieldErrorByPart.amount, reason: 'is too small or too large for the FX provider' },
      ])
    case 'closed':
    case 'rate-not-available':
      return apiError('SERVICE_CLOSED', 'The FX provider has no rate for these currencies at the moment')
    case 'quote-expired':
      return apiError(
        'unavailable',
        'The rate of the FX provider has expired. Nothing was ordered; send the payment again',
      )
    default: {
      const text = 'The FX provider is not available. Nothing was ordered; send the payment again'
      return apiError('unavailable', text, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
    }
  }
}

function validationErrorOf({ part, message }: FxFieldError): ValidationError {
  return {
    ...(part === null ? BODY_ERROR : fieldErrorByPart[part]),
    reason: message === '' ? 'was rejected by the FX provider' : `was rejected by the FX provider: ${message}`,
  }
}

/** Maps the errors of booking a quote to the codes of an operation. */
export type ExchangeErrorMapping = {
  readonly errorOf: (error: FxProviderError) => Error
  /** The field that names the quote. */
  readonly path: string
}

/** For a quote that the order names or that was created for it. */
export const CROSS_BORDER: ExchangeErrorMapping = { errorOf: exchangeError, path: '.quoteId' }

/** For a quote that the message names. */
export const DOMESTIC: ExchangeErrorMapping = {
  path: '.remittanceInformation.value',
  errorOf: ({ kind }) =>
    isTransient[kind]
      ? apiError('unavailable', 'The FX provider is not available. Nothing was ordered; send the payment again')
      : invalidRequest(DOMESTIC.path, `names a quote that the FX provider rejected: ${kind}`, 'InvalidRemittanceInfo'),
}

/** Converts the constraint violation of a quote that another payment has booked; returns any other error unchanged. */
export function quoteConflictError(error: unknown, mapping: ExchangeErrorMapping): unknown {
  return isConstraintViolation(error, 'payments_quote') ? quoteAlreadyBookedError(mapping) : error
}

export function quoteAlreadyBookedError({ path }: ExchangeErrorMapping): Error {
  return path === DOMESTIC.path
    ? invalidRequest(path, 'names a quote that is booked already; a quote can be booked once', 'InvalidRemittanceInfo')
    : invalidRequest(path, 'is booked already; a quote can be booked once')
}
