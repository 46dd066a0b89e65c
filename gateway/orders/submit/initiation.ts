/** Defines what an initiation needs in addition to its instruction: what concurrent requests share, and what is of this request. */
import type { Bank } from '../../banks/connector/bank.ts'
import { accountFinder, type FindAccount } from '../../consents/accounts/find-account.ts'
import type { Context } from '../../context.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import { type CreateSubmission, submissionStatements, type WriteAcknowledgement } from '../store/submission-store.ts'

/** Lookups and statements of concurrent requests are executed together. */
export type SharedStatements = {
  readonly findAccount: FindAccount
  readonly createSubmission: CreateSubmission
  readonly writeAcknowledgement: WriteAcknowledgement
}

/** The shared statements, and the bank and the idempotency key of one request. */
export type Initiation = SharedStatements & {
  readonly bank: Bank
  readonly idempotent: IdempotentRequest | null
}

/** Returns the statements of a process, for the routes of one module. */
export function openSharedStatements(context: Context): SharedStatements {
  return {
    ...submissionStatements(context.database),
    findAccount: accountFinder(context),
  }
}
