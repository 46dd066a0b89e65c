/** Says in the codes and paths of an exchange what is wrong with where it goes. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import type {
  DestinationFault,
  DestinationPart,
  DestinationProblem,
  DestinationWarning,
} from '../../countries/destinations/destination.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'

const CODE_BY_FAULT: Readonly<Record<DestinationFault['kind'], ExchangeCode>> = {
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

/** A problem of the destination as one of the order. */
export function problemOfDestination(order: ExchangeOrder, problem: DestinationProblem): Problem {
  const { fault, reason } = problem
  return {
    code: CODE_BY_FAULT[fault.kind],
    reason,
    path: fault.kind === 'account-missing' ? '.to.account' : pathOf(order, problem),
  }
}

/** Where the part stands in the order. */
export function pathOf(order: ExchangeOrder, { part, index }: Pick<DestinationWarning, 'part' | 'index'>): string {
  return part === 'additionalInformation' ? pathOfInformation(order, index) : pathOfPart(order, part)
}

/** The deprecated purpose code is judged as one more element behind the list. */
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
