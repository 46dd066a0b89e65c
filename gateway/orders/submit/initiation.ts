/** Defines what an initiation needs in addition to its instruction: what concurrent requests share, and what is of this request. */
import type { Bank } from '../../banks/connector/bank.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import type { CreateSubmission, WriteAcknowledgement } from '../store/submission-store.ts'

/** Statements of concurrent requests are executed together. */
type SharedStatements = {
  readonly createSubmission: CreateSubmission
  readonly writeAcknowledgement: WriteAcknowledgement
}

/** The shared statements, and the bank and the idempotency key of one request. */
export type Initiation = SharedStatements & {
  readonly bank: Bank
  readonly idempotent: IdempotentRequest | null
}
