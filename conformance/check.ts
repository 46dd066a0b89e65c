/** Defines a conformance check: what it requires, how it is run, and how it ends. */

import type { ResponseOf } from '../contract/operation.ts'
import type { OperationId, Operations } from '../contract/operations.ts'
import type { Answer, CallRequest, RawRequest, Target } from './http/exchange.ts'

/** One check of a server. It ends normally when the server conforms. */
export type Check = {
  /** Names it in reports and in `--only`; unique, its first word is the group. */
  readonly id: string
  readonly title: string
  /** What the interface requires, in one or two sentences. */
  readonly rule: string
  /** Where that is documented: a guide, an operation of the API reference, or an RFC. */
  readonly reference: string
  /** Throws a `Violation`, or `NotApplicable` where this server or these options do not permit the check. */
  run(context: CheckContext): Promise<void>
}

/** Checks of rules that are documented in one place, unless a check names another one. */
export function documentedIn(
  reference: string,
  checks: readonly (Omit<Check, 'reference'> & { readonly reference?: string })[],
): readonly Check[] {
  return checks.map((check) => ({ reference, ...check }))
}

/** Checks of one part of the interface, in the order in which they run. */
export type CheckGroup = { readonly id: string; readonly title: string; readonly checks: readonly Check[] }

/** What a check works with. All requests are recorded with the check that sent them. */
export type CheckContext = {
  readonly target: Target
  /** Identifies the run; what several checks share is created once for each. */
  readonly run: object
  /** Every response of the run so far. */
  readonly answers: readonly Answer[]
  /** Calls an operation, with a token and the headers that it requires unless the request says otherwise. */
  call(id: OperationId, request?: CallRequest): Promise<Answer>
  /** Calls an operation, and throws unless it succeeds. The body is not validated here but by the group `schemas`. */
  succeed<Id extends OperationId>(id: Id, request?: CallRequest): Promise<ResponseOf<Operations[Id]>>
  /** Sends a request that no operation documents. */
  send(request: RawRequest): Promise<Answer>
  /** Runs when all checks have run, for example to delete what was created. */
  cleanUp(action: () => Promise<unknown>): void
}

/** The server does not do what the interface requires. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

/** The check cannot be run; the message says why, and what would permit it. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

export type CheckStatus = 'passed' | 'failed' | 'skipped'

/** The outcome of one check. */
export type CheckResult = {
  readonly check: Check
  readonly group: CheckGroup
  readonly status: CheckStatus
  /** What violates the rule, or why the check was skipped; empty when it has passed. */
  readonly problems: readonly string[]
  readonly milliseconds: number
  /** The requests of the check with their responses, oldest first. */
  readonly answers: readonly Answer[]
}
