/** Says which part of a cross-border order a bank did not accept, in the codes of such payments. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { BankRefusal, OrderProblem } from '../../banks/connector/bank-error.ts'
import { type Problem, refuse } from '../../platform/http/errors/api-error.ts'
import { refusalAt } from '../domestic/domestic-order-error.ts'

type Place = { readonly path: string; readonly code: ValidationCode }

const placeByField: Readonly<Record<OrderProblem['field'], Place>> = {
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

/** The refusal that a partner reads. */
export function refusalOfCrossBorderOrder(refusal: BankRefusal): Error {
  return refusal.kind === 'due-date-refused'
    ? refuse('UNSUPPORTED_DUE_DATE', `The bank does not take the due date: ${refusal.message}`)
    : refusalAt(refusal, problemOf)
}

function problemOf({ field, member = 'it', text }: OrderProblem): Problem {
  return { ...placeByField[field], reason: `The bank does not accept ${member}: ${text}` }
}
