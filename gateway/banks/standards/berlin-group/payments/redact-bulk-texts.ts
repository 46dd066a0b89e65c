/** Keeps names and amounts of a payroll out of what is said of it, since texts go where contents must not. */
import { BankRefusal, type OrderProblem } from '../../../connector/bank-error.ts'
import type { StatusObservation } from '../../../connector/order-at-bank.ts'

/** In place of an amount. */
const LEFT_OUT = '…'
/** Two decimals, or a currency beside it: as banks write amounts in sentences. */
const AMOUNT =
  /\d[\d .,'\u00a0\u202f]*[.,]\d{2}(?!\d)|\d[\d .,'\u00a0\u202f]*(?:NOK|SEK|DKK|EUR|kr\b)|(?:NOK|SEK|DKK|EUR|\bkr)[ \u00a0]?\d[\d.,]*/gi

/** What of a refusal a bank writes in its own words may quote what it refuses: ours say as much. */
const wordsByCause: Readonly<Record<OrderProblem['cause'], string>> = {
  'too-long': 'it is longer than the bank takes',
  characters: 'it has characters that the bank does not take',
  invalid: 'it is not as the bank wants it',
}

/** How a bulk or a payment in it stands, without amounts. Account numbers and national ids are left out already. */
export function withoutAmounts<Observation extends StatusObservation>(observation: Observation): Observation {
  const { statusReasonText: text } = observation
  return text === null ? observation : { ...observation, statusReasonText: text.replace(AMOUNT, LEFT_OUT) }
}

/** The refusal of a bulk in words of ours wherever it is one of a payment in it. */
export function refusalOfBulk(refusal: BankRefusal): BankRefusal {
  const { kind, message, problems, cause } = refusal
  const isOfPayments = problems.some(({ position }) => position !== undefined)
  if (!isOfPayments) {
    return new BankRefusal(kind, message.replace(AMOUNT, LEFT_OUT), problems.map(inOwnWords), cause)
  }
  const positions = new Set(problems.map(({ position }) => position))
  const text = `The bank refuses the bulk for ${positions.size === 1 ? 'a payment' : `${positions.size} payments`} in it`
  return new BankRefusal(kind, text, problems.map(inOwnWords), cause)
}

function inOwnWords(problem: OrderProblem): OrderProblem {
  return problem.position === undefined
    ? { ...problem, text: problem.text.replace(AMOUNT, LEFT_OUT) }
    : { ...problem, text: wordsByCause[problem.cause] }
}
