/** Says which part of an order a bank did not accept, at the path where the partner wrote it. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { BankRefusal, OrderProblem } from '../../banks/connector/bank-error.ts'
import { refusalForPartner } from '../../banks/refusal-for-partner.ts'
import { Invalid, type Problem, refuse } from '../../platform/http/errors/api-error.ts'

type Place = { readonly path: string; readonly code: ValidationCode; readonly tooLong?: ValidationCode }

const placeByField: Readonly<Record<OrderProblem['field'], Place>> = {
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

/** The refusal that a partner reads. */
export function refusalOfOrder(refusal: BankRefusal): Error {
  return refusalAt(refusal, problemOf)
}

/** The same for an order of any kind; `placed` says where and how its partner reads what the bank found wrong. */
export function refusalAt(refusal: BankRefusal, placed: (problem: OrderProblem) => Problem): Error {
  if (refusal.kind === 'account-unknown') {
    return refuse('ACCESS_DENIED', `The bank does not know the debtor account: ${refusal.message}`)
  }
  return refusal.kind === 'order-refused' && refusal.problems.length > 0
    ? new Invalid(refusal.problems.map(placed))
    : refusalForPartner(refusal)
}

function problemOf({ field, member = 'it', cause, text }: OrderProblem): Problem {
  const { path, code, tooLong } = placeByField[field]
  const reason = `The bank does not accept ${member}: ${text}`
  switch (cause) {
    case 'characters':
      return { code: 'InvalidCharacters', reason, path }
    case 'too-long':
      return { code: tooLong ?? code, reason, path }
    case 'invalid':
      return { code, reason, path }
  }
}
