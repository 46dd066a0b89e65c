/** Says in the codes of cross-border payments what the rules of countries find wrong with where one goes. */

import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { DestinationFault, DestinationProblem } from '../../countries/destinations/destination.ts'
import { destinationProblems } from '../../countries/requirements/destination-problems.ts'
import { destinationOf } from '../../orders/instructions/cross-border-destination.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'
import { isExchanged } from './requires-exchange.ts'

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

/** In which currency a bank pays without exchange is between the banks: accounts in any currency are found anywhere. */
export function destinationFindings(order: CrossBorderPayment): readonly Problem[] {
  return destinationProblems(destinationOf(order))
    .filter(({ fault }) => fault.kind !== 'currency-not-accepted' || isExchanged(order))
    .map((problem) => ({
      code: codeByFault[problem.fault.kind],
      reason: problem.reason,
      path: pathOf(problem, order.to.account.type),
    }))
}

function pathOf({ part, index }: DestinationProblem, type: CrossBorderPayment['to']['account']['type']): string {
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
