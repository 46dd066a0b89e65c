/** Operator tasks: what happened to which payment or onboarding, and what the operator should do. */

/** The kinds of tasks with their instructions. */
export const taskAdvice = {
  UnknownOutcome:
    'The bank received this payment and its response is unknown. Look it up in the bank’s own channel or ask the bank. ' +
    'Where the detail shows a bankPaymentId, the bank answered with it and the answer could not be stored. ' +
    'An unusableBankPaymentId is what the bank sent in place of an id; it cannot be read at the bank by that. ' +
    'Then resolve with the bank’s payment id, or as never received. A second operator must confirm. ' +
    'Orders with the same incident were answered alike, as in a maintenance window: where the bank received none of them, ' +
    'resolve them together.',
  UnexpectedStatus:
    'The bank reported an unusual change of status. It was recorded and the partner was notified. ' +
    'Ask the bank whether it was intended, inform the partner if it was not, and resolve with a note.',
  StuckInProgress:
    'This payment was signed, and two bank days after its execution date it has no final status. The detail shows its ' +
    'status. Where a signature, an SMS code or money is missing, inform the partner; otherwise ask the bank what delays ' +
    'it. Resolve with a note.',
  BankCannotBeRead:
    'The bank rejects every request for the status of this payment. Check the consent and our registration at the bank, ' +
    'and resolve with a note.',
  CannotBeWithdrawn:
    'This order lacked a signature at the end of its due day, at the deadline of its FX deal, or when its payroll failed, and ' +
    'the bank does not permit its cancellation: it requires a signature, or rejects the cancellation. ' +
    'Ask the customer to cancel it in the bank’s own channel, and resolve with a note. Where it funds an FX deal, that deal is cancelled, and funds that arrive nevertheless are returned.',
  DeadlineUndecided:
    'The deadline for signing this FX payment has passed, and its bank does not report whether it was signed. Until it does, ' +
    'nothing is cancelled and the rate is held at our risk. Ask the bank. Where it was not signed, cancel the deal with ' +
    '`havn deal`. The task closes with the decision.',
  LapsedAtBank:
    'This order no longer exists at the bank, and it was never signed. The next approval submits it again, unless its due ' +
    'date has passed by then. Where this happens often, ask the bank how long it stores such orders. Resolve with a note.',
  LostBasket:
    'The bank was asked to combine these payments into a basket for one signature, and its response is unknown. If the basket ' +
    'exists, the payments may not be signable in another way until it expires. Where users see that a payment is ' +
    'busy, ask the bank to delete the basket with our bankRequestId. Resolve with a note.',
  TwoOrdersAtBank:
    'The bank reported that this order no longer existed, so it was submitted again. Now the former order exists, too, and ' +
    'the bank does not permit its cancellation, or has executed it. Ask the bank to stop one of the two at once, ask the customer not to ' +
    'sign both, and resolve with a note.',
  UnrecordedOrder:
    'This order was submitted to the bank, or was found on the account, and the database does not hold it: it was lost when ' +
    'the database was restored, or was ordered elsewhere under an id of the same form. Look it up in the bank’s own channel ' +
    'with the ids of the detail. Tell the partner what became of it before it orders it again, ask the customer to cancel ' +
    'it there where it must not be executed, and resolve with a note.',
  ExecutedAfterEnd:
    'The account was debited for this payment, which has ended here as rejected, cancelled or never received. Compare the ' +
    'entry of the detail with the payment, and ask the bank whether it executed our order. Tell the partner before it pays ' +
    'again, and resolve with a note.',
  UnrecordedDeal:
    'The FX provider has booked this conversion for us, and the database does not hold its deal: it was lost when the database ' +
    'was restored. Nothing follows it, so it costs money until it is funded or cancelled. Find out with `havn reconcile` and ' +
    'the logs whether its funding order is at the bank. If no money comes, cancel the conversion at the provider; otherwise ' +
    'settle it there with the partner. Resolve with a note.',
  PayrollHeld:
    'The database was restored while this payroll was being submitted: its bank may hold transactions that are not recorded ' +
    'here. Nothing of it is submitted until this task is resolved. Run `havn reconcile` with the logs, and compare with the ' +
    'bank’s own channel. If the bank holds none of the rest, resolve with a note: the submission continues. Otherwise have the ' +
    'partner cancel the payroll first, and the customer delete at the bank what must not be executed.',
  FileNotSent:
    'The file with this payroll cannot be delivered to its bank; the detail says why. Delivery is retried until its due ' +
    'day is over. Check whether the bank’s server can be reached, whether it knows our key, and whether we know its key. ' +
    'The task closes when the file is sent.',
  FileUnanswered:
    'Days after its due day the bank has not reported the outcome of this file. Ask the bank with the messageId of the detail, ' +
    'and whether the customer has confirmed the file there. Later reports are still processed. Resolve with a note.',
  BulkCarriedOutInPart:
    'A bulk of payrolls was not accepted completely, and its bank executes this payroll of it, which needed no signature or ' +
    'was already signed. Inform the partner at once, because it may order the payroll again. Where it must not be paid, ask ' +
    'the bank to stop it. Resolve with a note.',
  PayrollNotWithdrawn:
    'This payroll failed, and the bank has orders of it that could not be cancelled, or that it has begun to execute. The ' +
    'detail says how many. Tell the partner which transactions may be paid before it orders them again, ask the customer or the ' +
    'bank to stop the others, and resolve with a note.',
  OnboardingToReview:
    'A company has completed and signed its application, and an operator must decide about it; the detail says why. ' +
    'Review it with `havn onboarding show <id>`, then `havn onboarding accept`, `reject --reason` or ask-for-documents. ' +
    'The task closes with the decision.',
  DealNotBooked:
    'The FX provider was asked to book this deal and has not confirmed it since. The request is retried. ' +
    'Check whether the provider responds at all, and whether it accepts our login; `havn deal retry <id>` retries ' +
    'at once. Resolve with a note.',
  DealNotUnwound:
    'This FX deal is cancelled, and the provider does not cancel its conversion, which may cost more each day. The request is ' +
    'retried. Ask the provider to cancel it by phone, then `havn deal retry <id>`: a conversion that is cancelled there ' +
    'closes the deal, and this task.',
  FundingMissing:
    'The funding of this FX deal was signed, and two bank days after its day the money is not at the provider. Ask the bank ' +
    'where it is. If it will not come, `havn deal cancel <id> --note` cancels the deal; funds that still arrive are returned. ' +
    'Resolve with a note.',
  UnknownReceipt:
    'Funds arrived at the FX provider without a reference to one of our quotes, or to one from before a restore of the ' +
    'database, whose deal may be lost (`havn reconcile`). The provider knows who sent them. ' +
    '`havn deal send-back <id> --note` returns them, and closes the task once they have arrived; ' +
    '`havn deal keep <id> --note` records that we sent them ourselves.',
  UnreadableReceipt:
    'Funds arrived at the FX provider, and the provider’s data about them cannot be parsed. They fund no deal and are not ' +
    'returned. Ask the provider what they are. The task closes when the provider’s data can be parsed; for ' +
    'funds that are settled by hand, resolve with a note.',
  ReceiptNotReturned:
    'Funds at the FX provider must be returned to their sender, and the provider does not send them, or they came back ' +
    'again. Ask the provider to find an account, then `havn deal send-back <id> --note`. The task closes when they have arrived. ' +
    'Funds that came back when they were `returned` are settled at the provider: resolve with a note.',
  PayoutHeld:
    'The funds of this FX deal are at the provider, and the payout is on hold there or not accepted. Ask the provider what is ' +
    'missing: often documents about the creditor. The payout is retried; the task closes when it continues or ends.',
  PayoutUnexpected:
    'The FX provider executed the payout of the detail after this deal had ended in another way. The creditor may be ' +
    'paid in addition to what is owed to the debtor: return nothing before you know. ' +
    'Ask the provider to stop the payout, or agree with the partner on the result, and resolve with a note.',
  PayoutReturned:
    'The creditor of this FX payment was not paid, and the converted funds are at the provider, in the currency and amount of ' +
    'the detail. Agree with the partner on how the debtor gets them back, do that at the provider, then ' +
    '`havn deal refunded <id> --note`, which closes the task.',
  RowFails:
    'Background work on one row fails each time; the detail names the job, the row and the error, and the log of the ' +
    'workers has its message under the same `rowId`. The row is retried with growing delays of up to an hour, and no ' +
    'other row waits for it. Remove the cause, such as a master key that is missing or a bank that is not in the directory, ' +
    'or report it with the log. The task closes when the row was processed.',
} as const satisfies Record<string, string>

export type TaskKind = keyof typeof taskAdvice

/** Whether a second operator must confirm the resolution. */
export function needsTwoOperators(kind: TaskKind): boolean {
  return kind === 'UnknownOutcome'
}

/** `open` waits for an operator, `proposed` for a second one. */
export type TaskStatus = 'open' | 'proposed' | 'resolved'

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
  /** Null without a proposal, and for one of the release before. */
  readonly proposedBySubject: string | null
  readonly proposedResolution: unknown
  readonly resolvedBy: string | null
  readonly resolution: unknown
  readonly resolvedAt: Temporal.Instant | null
}

/** One of the tasks that are settled together. */
export type TaskOfIncident = Pick<OperatorTask, 'id' | 'partnerId' | 'subjectId' | 'proposedResolution'>

/** Which tasks a search returns; those that are undefined exclude nothing. */
export type TaskFilter = {
  readonly kind: TaskKind | undefined
  /** Undefined for the tasks that wait for an operator, open or proposed. */
  readonly status: TaskStatus | undefined
  /** Null for the tasks of all partners and of Havn itself. */
  readonly partnerId: string | null
  /** The last task of the page before. */
  readonly after: { readonly createdAt: Temporal.Instant; readonly id: string } | undefined
}

/** A task with the name of its partner, which is null for tasks of Havn itself. */
export type FoundTask = OperatorTask & { readonly partnerName: string | null }

export type Operator = {
  /** The stable id of the user at whatever authenticated them; null where nothing did, which decides nothing that takes two. */
  readonly subject: string | null
  readonly name: string
  /** Both, in the format of the audit log. */
  readonly actor: string
}
