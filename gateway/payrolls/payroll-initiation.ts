/** What initiating a payroll works with, whatever the way. */
import type { Bank } from '../banks/directory/bank.ts'
import type { FindCompany } from '../companies/company-finder.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import type { FindAccount } from '../consents/find-account.ts'
import type { IdempotentRequest } from '../foundation/http/idempotency.ts'
import type { KeepAcceptance } from '../payments/payroll-order/keep-payouts.ts'
import type { Way } from './payroll.ts'

/** What initiating works with besides the context: statements that concurrent requests share, and this request's own. */
export type PayrollInitiation = {
  readonly bank: Bank
  readonly findCompany: FindCompany
  readonly findAccount: FindAccount
  readonly keepAcceptance: KeepAcceptance
  readonly idempotent: IdempotentRequest | null
  /** The bulk that it comes in. */
  readonly bulkId?: string
}

/** What each way is given besides. */
export type InitiationHow = PayrollInitiation & { readonly way: Way; readonly account: ConsentAccount }
