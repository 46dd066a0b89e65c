/** Collects what is wrong with a long body: the first thousand problems, and the number of all. */
import type { Problem } from '../platform/http/errors/api-error.ts'
import { inBodyOrder } from '../platform/http/validation/schema-validation.ts'

/** So many are listed; whoever has more mends these first. */
export const PAYROLL_PROBLEMS_MAX = 1_000
/** What is wrong with a payroll as a whole is found first, and may stand behind its payouts: it takes no room of theirs. */
const KEPT_MAX = 2 * PAYROLL_PROBLEMS_MAX

/** What was found so far. */
export type FoundProblems = {
  /** Adds what was found in one part, at paths below it. Parts come in body order. */
  readonly add: (path: string, problems: readonly Problem[]) => void
  /** In body order; where there are more than are listed, a last one says how many there are. */
  readonly listed: (body: unknown) => readonly Problem[]
}

/** Begins with nothing. */
export function collectProblems(): FoundProblems {
  const kept: Problem[] = []
  let count = 0
  return {
    add: (path, problems) => {
      count += problems.length
      // Parts are kept whole: within one, problems are not in body order yet.
      if (kept.length < KEPT_MAX) {
        kept.push(...problems.map((problem) => ({ ...problem, path: below(path, problem.path) })))
      }
    },
    listed: (body) => [...inBodyOrder(kept, body).slice(0, PAYROLL_PROBLEMS_MAX), ...restOf(count)],
  }
}

/** What is wrong with a part as a whole is told at the part. */
function below(path: string, inside: string): string {
  return path !== '' && inside === '.' ? path : `${path}${inside}`
}

function restOf(count: number): readonly Problem[] {
  const reason = `The request has ${count} problems; the first ${PAYROLL_PROBLEMS_MAX} are listed`
  return count > PAYROLL_PROBLEMS_MAX ? [{ code: 'InvalidRequest', reason, path: '.' }] : []
}
