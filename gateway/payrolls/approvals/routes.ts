/** Serves the operations on approvals of payrolls, and on the bulks that begin with one. */
import { operations } from '../../../contract/operations.ts'
import { bankOf } from '../../accounts/require-account.ts'
import { abandonApproval } from '../../approvals/abandon-approval.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import { validateCallbackUrl } from '../../authorisations/callback-url-validation.ts'
import { companyFinder } from '../../companies/company-finder.ts'
import { accountFinder } from '../../consents/accounts/find-account.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { acknowledgementRecorder } from '../../orders/payroll/record-payroll-acknowledgement.ts'
import type { Serve } from '../../platform/http/operations/served-operation.ts'
import { initiatePayrollBulk } from '../bulks/initiate-payroll-bulk.ts'
import { validatePayrollBulk } from '../validation/validate-payroll-bulk.ts'
import { approvePayrolls } from './approve-payrolls.ts'
import { getPayrollApproval } from './get-payroll-approval.ts'
import { duplicatePayrollErrors } from './requested-payrolls.ts'

export function servePayrollApprovals(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const shared = {
    writeAcknowledgement: acknowledgementRecorder(context),
    findCompany: companyFinder(context),
    findAccount: accountFinder(context),
  }
  serve(operations.initiatePayrollBulk, {
    storesAnswer: true,
    validateCall: ({ caller, body }, texts) =>
      validatePayrollBulk(context, caller, { body, texts }, shared.findAccount),
    handle: async ({ caller, body, idempotent }) =>
      await initiatePayrollBulk(context, caller, body, { ...shared, bank: await bankOf(context, caller), idempotent }),
  })
  serve(operations.approvePayrolls, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payrolls') ? duplicatePayrollErrors(body) : []),
      ...(isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayrolls(context, caller, body),
  })
  serve(operations.readPayrollApproval, ({ caller, params }) => getPayrollApproval(context, caller, params.approvalId))
  serve(operations.abandonPayrollApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payrolls'),
  )
}
