/** What needs a person: a task says what happened to which payment, and what to do about it. */

/** The kinds of tasks, what an operator is advised to do, and how many people closing one takes. */
export const taskKinds = {
  UnknownOutcome: {
    people: 2,
    advice:
      'The bank was asked to take this payment and its answer is not known. Look in the bank’s own channel or ask the bank. ' +
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
      'The bank has shown no end of this payment for two bank days after its due day. Ask the bank what holds it, ' +
      'and resolve with --note.',
  },
  BankCannotBeRead: {
    people: 1,
    advice:
      'The bank refuses to say anything of this payment. Check the consent and our registration at the bank, ' +
      'and resolve with --note.',
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
