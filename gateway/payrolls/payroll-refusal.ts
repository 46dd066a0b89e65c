/** Says which part of a payroll a bank did not accept, at the path where the partner wrote it, and in words of our own. */
import type { ValidationCode } from '../../contract/errors/error-codes.ts'
import type { BankRefusal, OrderProblem } from '../banks/connector/bank-error.ts'
import { refusalForPartner } from '../banks/refusal-for-partner.ts'
import { refusalText } from '../orders/payroll/bank-error-message.ts'
import { Invalid, type Problem, Refusal, refuse } from '../platform/http/errors/api-error.ts'

type Place = { readonly path: string; readonly code: ValidationCode; readonly tooLong?: ValidationCode }

/** Parts of a payout, below it. */
const placeOfPayout: Readonly<Partial<Record<OrderProblem['field'], Place>>> = {
  endToEndId: { path: '.metadata.endToEndId', code: 'InvalidRequest' },
  creditorAccount: { path: '.account.bban', code: 'InvalidAccountNumber' },
  creditorAgent: { path: '.account.bban', code: 'InvalidAccountNumber' },
  creditorName: { path: '.name', code: 'InvalidRequest', tooLong: 'RecipientNameTooLong' },
  amount: { path: '.amount.amount', code: 'InvalidAmount' },
  remittance: { path: '.remittanceInformation', code: 'InvalidRemittanceInfo' },
}

/** Parts of the whole. */
const placeOfWhole: Readonly<Partial<Record<OrderProblem['field'], Place>>> = {
  debtorAccount: { path: '.from.account.bban', code: 'InvalidBBAN' },
  debtorName: { path: '.from.name', code: 'InvalidRequest', tooLong: 'SenderNameTooLong' },
  dueDate: { path: '.dueDate', code: 'InvalidDueDate' },
}

/** The refusal that a partner reads; what a bank says itself may repeat names, accounts and amounts. */
export function refusalOfPayroll(refusal: BankRefusal): Error {
  if (refusal.kind === 'account-unknown') {
    return refuse('ACCESS_DENIED', 'The bank does not know the debtor account')
  }
  return refusal.kind === 'order-refused' && refusal.problems.length > 0
    ? new Invalid(refusal.problems.map(problemOf))
    : inOurWords(refusal)
}

/** The refusal of any order, without what the bank says itself, and with the payouts that it is about. */
function inOurWords(refusal: BankRefusal): Error {
  const told = refusalForPartner(refusal)
  const places = refusal.problems.map((problem) => problemOf(problem).path)
  const text = [refusalText(refusal), ...(places.length === 0 ? [] : [places.join(', ')])].join(': ')
  if (told instanceof Invalid) {
    return new Invalid(told.problems.map((problem) => ({ ...problem, reason: text })))
  }
  return told instanceof Refusal ? new Refusal(told.reasonCode, text, told.extras) : told
}

function problemOf(problem: OrderProblem): Problem {
  const { position, field, member, cause } = problem
  const payout = position === undefined ? '.transactions' : `.transactions[${position}]`
  const within = position === undefined ? undefined : placeOfPayout[field]
  const { path, code, tooLong } = placeOfWhole[field] ?? {
    path: position === undefined && member !== undefined ? '.' : `${payout}${within?.path ?? ''}`,
    code: placeOfPayout[field]?.code ?? 'InvalidRequest',
    tooLong: placeOfPayout[field]?.tooLong,
  }
  const codes: Readonly<Record<OrderProblem['cause'], ValidationCode>> = {
    characters: 'InvalidCharacters',
    'too-long': tooLong ?? code,
    invalid: code,
  }
  return { code: codes[cause], reason: refusalText({ kind: 'order-refused', problems: [problem] }), path }
}
