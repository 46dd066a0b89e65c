/** Says which part of a cross-border order a bank did not accept, in the codes of such payments. */
import type { ValidationCode } from '../../../contract/failures.ts'
import type { BankRefusal, OrderProblem } from '../../banks/bank-refusal.ts'
import { refusalForPartner } from '../../banks/refusal-for-partner.ts'
import { Invalid, refuse } from '../../foundation/http/refusal.ts'

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
  if (refusal.kind === 'account-unknown') {
    return refuse('ACCESS_DENIED', `The bank does not know the debtor account: ${refusal.message}`)
  }
  if (refusal.kind === 'due-date-refused') {
    return refuse('UNSUPPORTED_DUE_DATE', `The bank does not take the due date: ${refusal.message}`)
  }
  return refusal.kind === 'order-refused' && refusal.problems.length > 0
    ? new Invalid(
        refusal.problems.map(({ field, text }) => ({
          ...placeByField[field],
          reason: `The bank does not accept it: ${text}`,
        })),
      )
    : refusalForPartner(refusal)
}
