/** Maps errors of a destination to error codes and paths of an exchange order. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import type {
  DestinationError,
  DestinationFault,
  DestinationPart,
  DestinationWarning,
} from '../../countries/destinations/destination.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'

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
  const list = '.remittanceInformation.additionalInformation'
  if (index === undefined) {
    return list
  }
  const { additionalInformation = [] } = remittanceInformation
  return index < additionalInformation.length ? `${list}[${index}]` : '.purposeCode'
}

function pathOfPart({ to }: ExchangeOrder, part: Exclude<DestinationPart, 'additionalInformation'>): string {
  switch (part) {
    case 'currency':
      return to.currency === undefined ? '.amount.currency' : '.to.currency'
    case 'message':
      return '.remittanceInformation.unstructured'
    case 'iban':
    case 'bban':
    case 'bic':
    case 'clearingCode':
      return `.to.account.${part}`
    default:
      return `.to.contactInformation.${part}`
  }
}
