/** Maps errors in the destination of a cross-border payment to the codes of such payments. */

import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { DestinationError, DestinationFault } from '../../countries/destinations/destination.ts'
import { destinationErrors } from '../../countries/destinations/destination-validation.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { crossBorderDestinationOf, requiresExchange } from './cross-border-destination.ts'

const codeByFault: Readonly<Record<DestinationFault['kind'], ValidationCode>> = {
  'country-unsupported': 'InvalidBeneficiaryCountry',
  'currency-not-accepted': 'InvalidRequest',
  'account-missing': 'InvalidBbanOrIban',
  'iban-missing': 'InvalidBbanOrIban',
  'iban-malformed': 'InvalidIbanFormat',
  'iban-not-taken': 'InvalidBbanOrIban',
  'account-malformed': 'InvalidBbanOrIban',
  'bic-malformed': 'InvalidBIC',
  'bic-mismatch': 'IbanBicMismatch',
  'clearing-code-missing': 'InvalidRequest',
  'clearing-code-malformed': 'InvalidRequest',
  'address-missing': 'InvalidToAddress',
  'address-malformed': 'InvalidToAddress',
  'information-missing': 'InvalidRequest',
  'information-malformed': 'InvalidRequest',
  'information-twice': 'InvalidRequest',
  'message-malformed': 'InvalidRequest',
}

/** Returns the errors. Without exchange any currency is possible: accounts in foreign currencies exist everywhere. */
export function validateDestination(order: CrossBorderPayment): readonly ValidationError[] {
  return destinationErrors(crossBorderDestinationOf(order))
    .filter(({ fault }) => fault.kind !== 'currency-not-accepted' || requiresExchange(order))
    .map((error) => ({
      code: codeByFault[error.fault.kind],
      reason: error.reason,
      path: pathOf(error, order.to.account.type),
    }))
}

function pathOf({ part, index }: DestinationError, type: CrossBorderPayment['to']['account']['type']): string {
  switch (part) {
    case 'iban':
    case 'bban':
      return `.to.account.${type}`
    case 'bic':
    case 'clearingCode':
      return `.to.account.${part}`
    case 'currency':
      return '.amount.currency'
    case 'additionalInformation':
      return `.remittanceInformation.additionalInformation${index === undefined ? '' : `[${index}]`}`
    case 'message':
      return '.remittanceInformation.message'
    default:
      return `.to.contactInformation.${part}`
  }
}
