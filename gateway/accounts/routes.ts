/** Serves the operations on accounts. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { getAccountBalance } from './get-account-balance.ts'
import { listAccounts } from './list-accounts.ts'

export function serveAccounts(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.listAccounts, ({ caller }) => listAccounts(context, caller))
  serve(operations.getAccountBalance, ({ caller, params }) => getAccountBalance(context, caller, params.accountId))
}
