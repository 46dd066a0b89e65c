/** Maps an FX provider's error to the error codes of an exchange. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import type {
  DestinationError,
  DestinationFault,
  DestinationPart,
  DestinationWarning,
} from '../../countries/destinations/destination.ts'
import { apiError, InvalidRequestError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import type { FxField, FxFieldError, FxProviderError } from '../providers/fx-provider-error.ts'

type ErrorLocation = readonly [code: ExchangeCode, path: string]

const AMOUNT = '.amount.amount'
const RECEIVER = '.to.contactInformation'
const MESSAGE = '.remittanceInformation.unstructured'
const INFORMATION = '.remittanceInformation.additionalInformation'
const WHOLE_BODY = '.'
/** An error without a field is most often a requirement of the receiver's country. */
const UNSPECIFIC_FIELD: ErrorLocation = ['InvalidRecipientInfo', '.to']
const RETRY_AFTER_SECONDS = 10

/** The error for the partner: validation errors with paths, or `unavailable`. */
export function exchangeErrorOf(order: ExchangeOrder, error: FxProviderError): Error {
  const paidOut = pathOf(order, { part: 'currency' })
  switch (error.kind) {
    case 'invalid':
      return new InvalidRequestError(validationErrorsOf(order, error))
    case 'currency-not-traded':
      return invalidAt(['InvalidCurrency', paidOut], 'The FX provider does not exchange these currencies')
    case 'due-date-rejected':
      return invalidAt(
        ['InvalidDueDate', '.dueDate'],
        'The FX provider does not exchange these currencies for this date',
      )
    case 'limit':
      return invalidAt(['InvalidAmount', AMOUNT], 'The amount is outside the limits of the FX provider')
    case 'closed':
      return invalidAt(
        ['InvalidCreationTime', WHOLE_BODY],
        'The FX provider does not trade these currencies at this time',
      )
    default:
      return apiError('unavailable', 'The FX provider cannot give a price at the moment; nothing was booked', {
        retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
      })
  }
}

function validationErrorsOf(order: ExchangeOrder, { validationErrors }: FxProviderError): readonly ValidationError[] {
  const found = validationErrors.map((error) => validationErrorOf(order, error))
  const [code, path] = UNSPECIFIC_FIELD
  return found.length > 0 ? found : [{ code, path, reason: 'The FX provider does not accept this receiver' }]
}

function validationErrorOf(order: ExchangeOrder, { part, message }: FxFieldError): ValidationError {
  const [code, path] = part === null ? UNSPECIFIC_FIELD : errorLocationOf(order, part)
  const field = path.split('.').at(-1)
  const reason = `The FX provider does not accept ${field === '' ? 'it' : field}`
  return { code, path, reason: message === '' ? reason : `${reason}: ${message}` }
}

function errorLocationOf(order: ExchangeOrder, part: FxField): ErrorLocation {
  const paidOut = pathOf(order, { part: 'currency' })
  const { iban } = order.to.account
  const number: ErrorLocation =
    iban === undefined ? ['InvalidIban', '.to.account.bban'] : ['InvalidIban', '.to.account.iban']
  const locations: Readonly<Record<FxField, ErrorLocation>> = {
    name: ['InvalidRecipientInfo', `${RECEIVER}.name`],
    iban: number,
    bban: ['InvalidRecipientInfo', iban === undefined ? '.to.account.bban' : '.to.account.iban'],
    bic: ['InvalidBIC', '.to.account.bic'],
    clearingCode: ['InvalidRecipientInfo', '.to.account.clearingCode'],
    currency: ['InvalidCurrency', paidOut],
    country: ['InvalidBeneficiaryCountry', `${RECEIVER}.address.country`],
    bankCountry: ['InvalidBeneficiaryCountry', '.to.account.bic'],
    'address.street': ['InvalidToAddress', `${RECEIVER}.address.streetName`],
    'address.city': ['InvalidToAddress', `${RECEIVER}.address.city`],
    'address.postCode': ['InvalidToAddress', `${RECEIVER}.address.postCode`],
    'address.state': ['InvalidToAddress', `${RECEIVER}.address`],
    taxCode: ['InvalidRecipientInfo', INFORMATION],
    amount: ['InvalidAmount', AMOUNT],
    amountScale: ['InvalidQuoteCurrencyScale', AMOUNT],
    buyCurrency: ['InvalidCurrency', paidOut],
    sellCurrency: ['InvalidCurrency', '.from.currency'],
    dueDate: ['InvalidDueDate', '.dueDate'],
    reference: ['InvalidRemittanceInformation', MESSAGE],
    reason: ['InvalidRecipientInfo', INFORMATION],
    purposeCode: ['InvalidRecipientInfo', INFORMATION],
    payer: ['InvalidRecipientInfo', '.from.contactInformation'],
  }
  return locations[part]
}

function invalidAt([code, path]: ErrorLocation, reason: string): InvalidRequestError {
  return new InvalidRequestError([{ code, path, reason }])
}

const CODE_BY_DESTINATION_FAULT: Readonly<Record<DestinationFault['kind'], ExchangeCode>> = {
  'country-unsupported': 'InvalidBeneficiaryCountry',
  'currency-not-accepted': 'InvalidCurrency',
  'account-missing': 'InvalidBbanOrIban',
  'iban-missing': 'InvalidIban',
  'iban-malformed': 'InvalidIban',
  'iban-not-taken': 'InvalidRecipientInfo',
  'account-malformed': 'InvalidRecipientInfo',
  'bic-malformed': 'InvalidBIC',
  'bic-mismatch': 'IbanBicMismatch',
  'clearing-code-missing': 'InvalidRecipientInfo',
  'clearing-code-malformed': 'InvalidRecipientInfo',
  'address-missing': 'InvalidToAddress',
  'address-malformed': 'InvalidToAddress',
  'information-missing': 'InvalidRecipientInfo',
  'information-malformed': 'InvalidRecipientInfo',
  'information-twice': 'InvalidRecipientInfo',
  'message-malformed': 'InvalidRemittanceInformation',
}

/** The validation error of the order for an error of its destination. */
export function destinationValidationError(order: ExchangeOrder, error: DestinationError): ValidationError {
  const { fault, reason } = error
  return {
    code: CODE_BY_DESTINATION_FAULT[fault.kind],
    reason,
    path: fault.kind === 'account-missing' ? '.to.account' : pathOf(order, error),
  }
}

/** The path of a part of the destination in the order. */
export function pathOf(order: ExchangeOrder, { part, index }: Pick<DestinationWarning, 'part' | 'index'>): string {
  return part === 'additionalInformation' ? pathOfInformation(order, index) : pathOfPart(order, part)
}

/** The deprecated purpose code is validated as an additional element at the end of the list. */
function pathOfInformation({ remittanceInformation }: ExchangeOrder, index: number | undefined): string {
  if (index === undefined) {
    return INFORMATION
  }
  const { additionalInformation = [] } = remittanceInformation
  return index < additionalInformation.length ? `${INFORMATION}[${index}]` : '.purposeCode'
}

function pathOfPart({ to }: ExchangeOrder, part: Exclude<DestinationPart, 'additionalInformation'>): string {
  switch (part) {
    case 'currency':
      return to.currency === undefined ? '.amount.currency' : '.to.currency'
    case 'message':
      return MESSAGE
    case 'iban':
    case 'bban':
    case 'bic':
    case 'clearingCode':
      return `.to.account.${part}`
    default:
      return `.to.contactInformation.${part}`
  }
}
