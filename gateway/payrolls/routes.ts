/** Serves the operations on payrolls. */
import { operations } from '../../contract/operations.ts'
import { bankOf } from '../accounts/require-account.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { companyFinder } from '../companies/company-finder.ts'
import type { Consent } from '../consents/consent.ts'
import { accountFinder } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { acceptanceKeeper } from '../payments/payroll-order/keep-payouts.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { showPayroll } from './get-payroll.ts'
import { initiatePayroll } from './initiate-payroll.ts'
import { judgePayroll } from './judge-payroll.ts'
import { listPayrolls, payrollListProblems } from './list-payrolls.ts'

export function servePayrolls(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const shared = {
    keepAcceptance: acceptanceKeeper(context),
    findCompany: companyFinder(context),
    findAccount: accountFinder(context),
  }
  serve(operations.initiatePayroll, {
    keepsAnswer: true,
    judge: ({ caller, body }, texts) => judgePayroll(context, caller, { body, texts }, shared.findAccount),
    handle: async ({ caller, body, idempotent }) =>
      await initiatePayroll(context, caller, body, { ...shared, bank: await bankOf(context, caller), idempotent }),
  })
  serve(operations.listPayrolls, {
    rules: ({ caller, query }, isSound) => payrollListProblems(context, caller, query, isSound),
    handle: ({ caller, query }) => listPayrolls(context, caller, query),
  })
  serve(operations.readPayrollStatus, ({ caller, params }) => showPayroll(context, caller, params.payrollId))
}
