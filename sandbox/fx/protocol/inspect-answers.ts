/** Passes every response to an inspector before it is sent; used in tests only. */

export type InspectedAnswer = {
  /** E.g. `POST /conversions/create`. */
  readonly operation: string
  readonly status: number
  readonly body: object
}

/** Returns the violations in a response. */
export type AnswerValidator = (answer: InspectedAnswer) => readonly string[]
