/** What needs a person: a task says what happened to which payment or onboarding, and what to do about it. */

/** The kinds of tasks, what an operator is advised to do, and how many people closing one takes. */
export const taskKinds = {
  UnknownOutcome: {
    people: 2,
    advice:
      'The bank was asked to take this payment and its answer is not known. Look in the bank’s own channel or ask the bank; ' +
      'where the detail shows a bankPaymentId, the bank did answer with it and that could not be kept. ' +
      'Then resolve with --taken <the bank’s payment id> or with --never-taken. A second person confirms.',
  },
  UnexpectedStatus: {
    people: 1,
    advice:
      'The bank reported a change of status that is not usual. It was recorded and announced. ' +
      'Ask the bank whether it was meant, tell the partner if it was not, and resolve with --note.',
  },
  StuckInProgress: {
    people: 1,
    advice:
      'Somebody signed this payment, and two bank days after its day of execution it has not ended. The detail says how ' +
      'it stands: where a signature, an SMS code or money is missing, tell the partner; otherwise ask the bank what holds ' +
      'it. Resolve with --note.',
  },
  BankCannotBeRead: {
    people: 1,
    advice:
      'The bank refuses to say anything of this payment. Check the consent and our registration at the bank, ' +
      'and resolve with --note.',
  },
  CannotBeWithdrawn: {
    people: 1,
    advice:
      'This order lacked a signature at the end of its due day, and the bank does not let us withdraw it: it wants a signature, ' +
      'or refuses. Ask the customer to withdraw it in the bank’s own channel, and resolve with --note.',
  },
  LapsedAtBank: {
    people: 1,
    advice:
      'The bank no longer knows this order, which nobody had signed. The next approval places it again, unless its due ' +
      'date is over by then. Where this happens often, ask the bank how long it keeps such orders. Resolve with --note.',
  },
  LostBasket: {
    people: 1,
    advice:
      'The bank was asked to lay these payments together for one signature, and its answer is not known. If it did, it may let ' +
      'nobody sign one of them in another way until it forgets the basket by itself. Where users are told that a payment is ' +
      'busy, have the bank delete the basket that came of our bankRequestId. Resolve with --note.',
  },
  TwoOrdersAtBank: {
    people: 1,
    advice:
      'The bank said that it held this order no more, so it was placed again; now the bank holds the former order too and ' +
      'does not let us withdraw it, or has carried it out. Have the bank stop one of the two, at once, ask the customer not to ' +
      'sign both, and resolve with --note.',
  },
  OnboardingToReview: {
    people: 1,
    advice:
      'A company has written and signed everything, and something about it is for a person to judge; the detail says what. ' +
      'Look at it with `havn onboarding show <id>`, then `havn onboarding accept`, `reject --reason` or ask-for-documents. ' +
      'The task closes with the decision.',
  },
} as const satisfies Record<string, { people: 1 | 2; advice: string }>

export type TaskKind = keyof typeof taskKinds

/** `open` waits for a person, `proposed` for a second one. */
export type TaskStatus = 'open' | 'proposed' | 'resolved'

/** A task as operators see it. */
export type OperatorTask = {
  readonly partnerId: string
  readonly id: string
  readonly kind: TaskKind
  readonly subjectType: string
  readonly subjectId: string
  readonly advice: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly status: TaskStatus
  readonly createdAt: Temporal.Instant
  readonly proposedBy: string | null
  readonly proposedResolution: unknown
  readonly resolvedBy: string | null
  readonly resolution: unknown
  readonly resolvedAt: Temporal.Instant | null
}
