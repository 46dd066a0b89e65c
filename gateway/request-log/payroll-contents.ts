/** Says which requests may hold salaries, by the contract: only users with the payroll role see them. */
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'

/** The fields that bodies of payrolls have at the top, such as `transactions`. */
const payrollNames = new Set(
  Object.values<Operation>(operations)
    .filter(({ permission }) => permission === 'payroll')
    .flatMap((operation) => topNames(operation)),
)

/** Whether a body has fields of payrolls that its operation does not know: it was sent to the wrong operation. */
export function mayBePayroll(operation: Operation, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) {
    return false
  }
  const own = new Set(topNames(operation))
  const elements = Array.isArray(body) ? body.slice(0, 1) : [body]
  return elements.some(
    (element) =>
      typeof element === 'object' &&
      element !== null &&
      Object.keys(element).some((name) => payrollNames.has(name) && !own.has(name)),
  )
}

function topNames({ body }: Operation): readonly string[] {
  return Object.keys(Object(body)['properties'] ?? {})
}
