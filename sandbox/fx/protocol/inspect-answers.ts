/** Lets an inspector look at every answer before it leaves; used by tests, never when the provider serves. */

export type InspectedAnswer = {
  /** E.g. `POST /conversions/create`. */
  readonly operation: string
  readonly status: number
  readonly body: object
}

/** Says what is wrong with an answer. */
export type AnswerJudge = (answer: InspectedAnswer) => readonly string[]
