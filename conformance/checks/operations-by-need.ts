/** Selects operations by what they require, and builds requests of them that can change nothing. */
import { randomBytes } from 'node:crypto'
import { examplesByOperation } from '../../contract/examples/examples-by-operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { type OperationId, operations } from '../../contract/operations.ts'
import type { CheckContext } from '../check.ts'
import type { CallRequest } from '../http/exchange.ts'

/** An id that no server has issued; another one each time, since some operations limit the calls with one id. */
export function unknownId(): string {
  return `00000000-0000-7000-8000-${randomBytes(6).toString('hex')}`
}

type ExampleInputs = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

const examples = new Map<string, readonly (ExampleInputs & { readonly summary: string })[]>(
  Object.entries(examplesByOperation),
)

export type ServedOperation = Operation & { id: OperationId }

/** The operations that a server must have: those of a sandbox only if it is one. */
export function servedOperations({ target }: Pick<CheckContext, 'target'>): readonly ServedOperation[] {
  const all = Object.values(operations) as readonly ServedOperation[]
  return all.filter(({ sandboxOnly }) => target.isSandbox || !sandboxOnly)
}

/** The first example of an operation. Its ids are those of the documentation, which exist nowhere. */
export function exampleOf({ id }: Operation): ExampleInputs {
  const { params = {}, query = {}, body } = examples.get(id)?.[0] ?? {}
  return { params, query, ...(body === undefined ? {} : { body }) }
}

/**
 * The example of an operation with unknown ids in place of those of the documentation. Operations of a sandbox that need
 * no id would disturb its other users if a broken server carried them out: they have no body.
 */
export function harmlessRequest(operation: Operation): CallRequest {
  const { params = {}, query = {}, body } = exampleOf(operation)
  const unknown = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isUuid(value) ? unknownId() : value]),
  )
  const isSafe = body !== undefined && !operation.sandboxOnly
  return { params: unknown, query, ...(isSafe ? { body } : {}) }
}

const turns = new WeakMap<object, number>()

/** The forms of a request that are tried: all of them, in a short run one in turn. */
export function formsInTurn<Form>({ target, run }: CheckContext, forms: readonly Form[]): readonly Form[] {
  if (target.isShort !== true) {
    return forms
  }
  const turn = turns.get(run) ?? 0
  turns.set(run, turn + 1)
  return forms.filter((_form, index) => index === turn % forms.length)
}

export function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}
