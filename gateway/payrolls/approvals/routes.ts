/** Serves the operations on approvals of payrolls, and on the bulks that begin with one. */
import { operations } from '../../../contract/operations.ts'
import { bankOf } from '../../accounts/require-account.ts'
import { abandonApproval } from '../../approvals/abandon-approval.ts'
import { initiatePayrollBulk } from '../../approvals/payrolls/initiate-payroll-bulk.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import { checkCallbackUrl } from '../../authorisations/callback-url-validation.ts'
import { companyFinder } from '../../companies/company-finder.ts'
import type { Consent } from '../../consents/consent.ts'
import { accountFinder } from '../../consents/find-account.ts'
import type { Context } from '../../context.ts'
import { acceptanceKeeper } from '../../payments/payroll-order/keep-payouts.ts'
import type { Serve } from '../../platform/http/operations/served-operation.ts'
import { judgePayrollBulk } from '../judge-payroll-bulk.ts'
import { approvePayrolls } from './approve-payrolls.ts'
import { showPayrollApproval } from './get-payroll-approval.ts'
import { payrollListProblems } from './requested-payrolls.ts'

export function servePayrollApprovals(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const shared = {
    keepAcceptance: acceptanceKeeper(context),
    findCompany: companyFinder(context),
    findAccount: accountFinder(context),
  }
  serve(operations.initiatePayrollBulk, {
    keepsAnswer: true,
    judge: ({ caller, body }, texts) => judgePayrollBulk(context, caller, { body, texts }, shared.findAccount),
    handle: async ({ caller, body, idempotent }) =>
      await initiatePayrollBulk(context, caller, body, { ...shared, bank: await bankOf(context, caller), idempotent }),
  })
  serve(operations.approvePayrolls, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payrolls') ? payrollListProblems(body) : []),
      ...(isSound('.callbackUrl') ? checkCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayrolls(context, caller, body),
  })
  serve(operations.readPayrollApproval, ({ caller, params }) => showPayrollApproval(context, caller, params.approvalId))
  serve(operations.abandonPayrollApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payrolls'),
  )
}
