/** Asks banks about orders of payrolls so that nothing of what they answer in words of their own gets any further. */
import type { PaymentStatusValue } from '../../../contract/shapes.ts'
import type { BulkObservation, BulkTaken } from '../../banks/bulk-order.ts'
import { BankRefusal, TooManyReads } from '../../banks/connector/bank-error.ts'
import type { Authorisations, OrdersAtBank } from '../../banks/connector/connector.ts'
import type { PlacedOrder, StatusObservation } from '../../banks/connector/order-at-bank.ts'
import type { AuthorisationState } from '../../banks/connector/sca-authorisation.ts'
import { refusalText } from '../../orders/payroll/bank-error-message.ts'

/** What is told where a bank said something; where it said nothing, or there is nothing to add to the status, nothing is. */
const textByStatus: Readonly<Partial<Record<PaymentStatusValue, string>>> = {
  Rejected: 'The bank does not carry it out',
  Cancelled: 'The bank says that it was cancelled',
}

/** Banks that do not tell of single payouts say no more than this of a whole of which they carry out a part. */
const IN_PARTS = 'The bank carries out a part of it, and does not tell which'

/** A word of the standard; any other may be a sentence. */
const CODE = /^[A-Z]{4}$/

/** The same questions; refusals, and what is said of an order, come in words of ours. */
export function ordersInOwnWords({ read, readOrder, authorisations, cancellation }: OrdersAtBank): OrdersAtBank {
  return {
    read: async (...asked) => observationInOwnWords(await refusedInOwnWords(() => read(...asked))),
    readOrder: (...asked) => refusedInOwnWords(() => readOrder(...asked)),
    authorisations: signedInOwnWords(authorisations),
    cancellation: {
      cancel: (...asked) => refusedInOwnWords(() => cancellation.cancel(...asked)),
      authorisations: signedInOwnWords(cancellation.authorisations),
    },
  }
}

/** Of an order that a bank is asked to take. */
export async function takenInOwnWords<Taken extends BulkTaken>(place: () => Promise<Taken>): Promise<Taken> {
  const taken = await refusedInOwnWords(place)
  return { ...taken, observation: standingInOwnWords(taken.observation) }
}

/** What a bank says of an order and of the payouts in it. */
export function observationInOwnWords(observation: BulkObservation): BulkObservation {
  const { elements } = observation
  const isPart = observation.status === 'InProgress' && observation.bankStatus === 'PART' && elements === undefined
  const whole = standingInOwnWords(observation)
  return {
    ...(isPart ? { ...whole, statusReasonText: IN_PARTS } : whole),
    ...(elements && { elements: elements.map(standingInOwnWords) }),
  }
}

function standingInOwnWords<Standing extends StatusObservation>(observation: Standing): Standing {
  const { status, statusReasonText, bankStatus } = observation
  const text = status === null || statusReasonText === null ? null : (textByStatus[status] ?? null)
  const word = status === null && !CODE.test(bankStatus) ? 'unknown' : bankStatus
  return { ...observation, statusReasonText: text, bankStatus: word }
}

/** What a user is to see while signing stays the bank's; why it ended does not. */
function signedInOwnWords({ start, read, complete }: Authorisations<PlacedOrder>): Authorisations<PlacedOrder> {
  return {
    start: (...asked) => refusedInOwnWords(() => start(...asked)),
    read: async (...asked) => endInOwnWords(await refusedInOwnWords(() => read(...asked))),
    complete: (...asked) => refusedInOwnWords(() => complete(...asked)),
  }
}

function endInOwnWords(state: AuthorisationState): AuthorisationState {
  return state.text === null ? state : { ...state, text: textByEnd[state.state] ?? null }
}

const textByEnd: Readonly<Partial<Record<AuthorisationState['state'], string>>> = {
  refused: 'The signature was refused',
  cancelled: 'The signing was left',
  lapsed: 'The time to sign is over',
}

/** What lies behind a refusal may repeat the answer, and is left out too. */
async function refusedInOwnWords<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof BankRefusal ? refusalInOwnWords(error) : error
  }
}

function refusalInOwnWords(refusal: BankRefusal): BankRefusal {
  if (refusal instanceof TooManyReads) {
    return new TooManyReads(refusalText(refusal), refusal.retryAfterSeconds)
  }
  const problems = refusal.problems.map((problem) => ({
    ...problem,
    text: refusalText({ kind: 'order-refused', problems: [problem] }),
  }))
  return new BankRefusal(refusal.kind, refusalText(refusal), problems)
}
