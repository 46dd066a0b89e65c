/** Checks the responses of every operation against the contract: those of the whole run, and of a call of its own. */
import type { Operation } from '../../contract/operation.ts'
import { type OperationId, operations } from '../../contract/operations.ts'
import { type Check, type CheckContext, NotApplicable } from '../check.ts'
import { requireNone } from '../expectations.ts'
import { answerProblems, isSuccess } from '../validation/validate-answer.ts'
import { OPERATION_CALLS } from './operation-calls.ts'

const all: readonly Operation[] = Object.values(operations)

export const SCHEMA_CHECKS: readonly Check[] = all.map((operation) => ({
  id: `schemas-${operation.id}`,
  title: `${operation.method} ${operation.path}`,
  rule: 'Every response, errors included, has a documented status, a body that matches its schema, and documented codes.',
  reference: `API reference: ${operation.id}`,
  run: async (context) => {
    if (operation.sandboxOnly && !context.target.isSandbox) {
      throw new NotApplicable('The operation exists in a sandbox only')
    }
    const answersOf = () => context.answers.filter((answer) => answer.operation?.id === operation.id)
    if (!answersOf().some(isSuccess)) {
      await callOnce(context, operation.id as OperationId)
    }
    // The same fault in many responses is listed once.
    const found = new Map(
      answersOf()
        .flatMap(answerProblems)
        .map((problem) => [withoutIds(problem), problem]),
    )
    requireNone([...found.values()])
    if (!answersOf().some(isSuccess)) {
      throw new NotApplicable('No check could call it successfully here; its errors are as documented')
    }
  },
}))

async function callOnce(context: CheckContext, id: OperationId): Promise<void> {
  const call = OPERATION_CALLS[id]
  if (call !== undefined) {
    await context.call(id, await call(context))
  }
}

function withoutIds(problem: string): string {
  return problem.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.Z+]+/gi, '…')
}
