/** Says what an example of an operation is: a complete request and its answer. */
import type { InputsOf, Operation, ResponseOf } from './operation.ts'

/** Values that the operation's schemas accept; a test holds them to it. */
export type Example<O extends Operation> = InputsOf<O> & {
  /** What it shows. */
  readonly summary: string
  readonly answer: ResponseOf<O>
}

/** An operation's examples: at least one. */
export type Examples<O extends Operation> = readonly [Example<O>, ...Example<O>[]]
