/** Defines an example of an operation: a complete request and its response. */
import type { InputsOf, Operation, ResponseOf } from './operation.ts'

/** Values that match the operation's schemas; a test validates them. */
export type Example<O extends Operation> = InputsOf<O> & {
  /** What it shows. */
  readonly summary: string
  readonly answer: ResponseOf<O>
}

/** An operation's examples: at least one. */
export type Examples<O extends Operation> = readonly [Example<O>, ...Example<O>[]]
