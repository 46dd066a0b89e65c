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
      'This order lacked a signature at the end of its due day, at the deadline of its exchange, or when its payroll failed, and ' +
      'the bank does not let us withdraw it: it wants a signature, or refuses. Ask the customer to withdraw it in the bank’s own channel, and resolve ' +
      'with --note. Where it funds an exchange, that is undone, and money that comes all the same is sent back.',
  },
  DeadlineUndecided: {
    people: 1,
    advice:
      'The deadline for signing this exchange has passed, and its bank does not say whether it was signed; until it does, ' +
      'nothing is undone and the rate is held at our risk. Ask the bank. Where it was not signed, break the deal with ' +
      '`havn deal`. The task closes with the decision.',
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
  FileNotSent: {
    people: 1,
    advice:
      'The file with this payroll does not get to its bank; the detail says why. It is tried again and again until its due ' +
      'day is over. See whether the bank’s server can be reached, whether it knows our key, and whether we know its own. ' +
      'The task closes when the file is sent.',
  },
  FileUnanswered: {
    people: 1,
    advice:
      'Days after its due day the bank has not reported how this file ended. Ask the bank with the messageId of the detail, ' +
      'and whether the customer has confirmed the file there. What it reports later is taken as ever. Resolve with --note.',
  },
  BulkCarriedOutInPart: {
    people: 1,
    advice:
      'A bulk of payrolls was not taken as a whole, and its bank carries out this payroll of it, which needed no signature or ' +
      'had it already. Tell the partner at once, which may order the payroll again otherwise; where it is not to be paid, have ' +
      'the bank stop it. Resolve with --note.',
  },
  PayrollNotWithdrawn: {
    people: 1,
    advice:
      'This payroll failed, and the bank holds orders of it that could not be withdrawn, or has begun to carry them out. The ' +
      'detail says how many. Tell the partner which payouts may be paid before it orders them again, have the customer or the ' +
      'bank stop the others, and resolve with --note.',
  },
  OnboardingToReview: {
    people: 1,
    advice:
      'A company has written and signed everything, and something about it is for a person to judge; the detail says what. ' +
      'Look at it with `havn onboarding show <id>`, then `havn onboarding accept`, `reject --reason` or ask-for-documents. ' +
      'The task closes with the decision.',
  },
  DealNotBooked: {
    people: 1,
    advice:
      'The provider of exchange was asked to book this, and since then it has not said whether it did. It is asked again and ' +
      'again. See whether the provider answers at all, and whether it takes our login; `havn deal retry <id>` has it asked ' +
      'at once. Resolve with --note.',
  },
  DealNotUnwound: {
    people: 1,
    advice:
      'This exchange is off, and the provider does not cancel its conversion, which may cost more each day. It is asked again ' +
      'and again. Have the provider cancel it by phone, then `havn deal retry <id>`: a conversion that is cancelled there ' +
      'closes the deal, and this task.',
  },
  FundingMissing: {
    people: 1,
    advice:
      'The funding of this exchange was signed, and two bank days after its day the money is not at the provider. Ask the bank ' +
      'where it is. If it will not come, `havn deal break <id> --note` has the exchange undone; what still comes is sent ' +
      'back. Resolve with --note.',
  },
  UnknownReceipt: {
    people: 1,
    advice:
      'Money arrived at the provider of exchange and names no quote of ours. The provider says who sent it. ' +
      '`havn deal send-back <id> --note` sends it back, and closes the task once it is there; ' +
      '`havn deal keep <id> --note` says that we put it there ourselves.',
  },
  UnreadableReceipt: {
    people: 1,
    advice:
      'Money arrived at the provider of exchange, and what the provider says of it cannot be read; it funds nothing and is not ' +
      'sent back. Ask the provider what it is. The task closes when the provider tells of it in a way that can be read; for ' +
      'money that is settled by hand, resolve with --note.',
  },
  ReceiptNotReturned: {
    people: 1,
    advice:
      'Money at the provider of exchange must go back to whoever sent it, and the provider does not send it, or it came back ' +
      'again. Have the provider find an account, then `havn deal send-back <id> --note`. The task closes when it is there.',
  },
  PayoutHeld: {
    people: 1,
    advice:
      'The money of this exchange is at the provider, and the payout is held there or is not taken. Ask the provider what is ' +
      'missing: often papers on the receiver. It is asked again and again; the task closes when the payout goes on or ends.',
  },
  PayoutUnexpected: {
    people: 1,
    advice:
      'The provider of exchange made the payout of the detail after this exchange had taken another end. The receiver may be ' +
      'paid beside what the payer is owed: give nothing back before you know. Have the provider stop the payout, or agree with ' +
      'the partner on what came of it, and resolve with --note.',
  },
  PayoutReturned: {
    people: 1,
    advice:
      'The receiver of this exchange was not paid, and what was bought for it is at the provider, in the currency and amount of ' +
      'the detail. Agree with the partner on how the payer gets it back, do that at the provider, then ' +
      '`havn deal refunded <id> --note`, which closes the task.',
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
