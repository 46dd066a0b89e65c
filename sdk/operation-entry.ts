/** What the client knows of an operation: one line of the generated table, with its id. */
import { operationTable } from './generated/operation-table.ts'

/** How an operation is requested and answered. */
export type OperationEntry = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below its server, with parameters in braces. */
  readonly path: string
  readonly server: 'base' | 'auth' | 'onboarding'
  /** The status of success. */
  readonly status: number
  readonly body: 'none' | 'json' | 'form'
  readonly withToken: boolean
  /** Whether it accepts `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Whether it may answer 202, and go on after that. */
  readonly mayContinue: boolean
  readonly hasContent: boolean
  /** The error statuses whose body is plain text. */
  readonly plainTextErrors: readonly number[]
}

/** An operation with its id, the name of the client's method. */
export type NamedOperation = OperationEntry & { readonly id: string }

/** Every operation of the API. */
export const namedOperations: readonly NamedOperation[] = Object.entries<OperationEntry>(operationTable).map(
  ([id, entry]) => ({ id, ...entry }),
)

export const tokenOperation: NamedOperation = { id: 'issueToken', ...operationTable.issueToken }
