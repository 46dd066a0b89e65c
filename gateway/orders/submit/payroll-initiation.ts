/** Defines the parameters of initiating a payroll, common to all submission modes. */
import type { Bank } from '../../banks/directory/bank.ts'
import type { FindCompany } from '../../companies/require-company.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { FindAccount } from '../../consents/accounts/find-account.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import type { SubmissionMode } from '../payroll.ts'
import type { WriteAcknowledgement } from './record-payroll-acknowledgement.ts'

/** Lookups that concurrent requests share, and the data of this request. */
export type PayrollInitiation = {
  readonly bank: Bank
  readonly findCompany: FindCompany
  readonly findAccount: FindAccount
  readonly writeAcknowledgement: WriteAcknowledgement
  readonly idempotent: IdempotentRequest | null
  /** The bulk that it belongs to. */
  readonly bulkId?: string
}

/** The parameters of each submission mode. */
export type PayrollInitiationParameters = PayrollInitiation & {
  readonly submissionMode: SubmissionMode
  readonly account: ConsentAccount
}
