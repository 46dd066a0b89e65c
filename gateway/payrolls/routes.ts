/** Serves the operations on payrolls and bulks of them, their approvals and their cancellations. */

import { operations } from '../../contract/operations.ts'
import { validateCallbackUrl } from '../auth/callback-origin.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { type Consent, consentActorOf } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { abandonCancellation } from '../orders/cancel/get-cancellation.ts'
import { duplicateErrors } from '../orders/instruction.ts'
import { parseListQuery } from '../orders/order-list-query.ts'
import { parsePayroll } from '../orders/parse/validate-payroll.ts'
import { parsePayrollBulk } from '../orders/parse/validate-payroll-bulk.ts'
import { abandonApproval } from '../orders/sign/get-approval.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { approvePayrolls, getPayrollApproval } from './approve-payrolls.ts'
import { cancelPayroll, getPayrollCancellation } from './cancel-payroll.ts'
import { initiatePayroll } from './initiate-payroll.ts'
import { initiatePayrollBulk } from './initiate-payroll-bulk.ts'
import { getPayroll, listPayrolls } from './read-payrolls.ts'

export function servePayrolls(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.initiatePayroll, {
    storesAnswer: true,
    validateCall: ({ caller, body }, texts) => parsePayroll(context, caller, { body, texts }),
    handle: async ({ caller, parsed, idempotent }) =>
      await initiatePayroll(context, caller, parsed, {
        bank: await requireBank(context.banks, caller.consent.bic),
        idempotent,
      }),
  })
  serve(operations.initiatePayrollBulk, {
    storesAnswer: true,
    validateCall: ({ caller, body }, texts) => parsePayrollBulk(context, caller, { body, texts }),
    handle: async ({ caller, body, parsed: instructions, idempotent }) => {
      const bank = await requireBank(context.banks, caller.consent.bic)
      return await initiatePayrollBulk(context, caller, body, { bank, instructions, idempotent })
    },
  })
  serve(operations.listPayrolls, {
    rules: ({ caller: { partnerId }, query }, isSound) =>
      parseListQuery(context, { partnerId, list: 'payrolls' }, query, isSound),
    handle: ({ parsed }) => listPayrolls(context, parsed),
  })
  serve(operations.getPayrollStatus, ({ caller, params }) => getPayroll(context, caller, params.payrollId))
  serve(operations.approvePayrolls, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payrolls') ? duplicateErrors('payroll', body.payrolls ?? []) : []),
      ...(isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayrolls(context, caller, body),
  })
  serve(operations.getPayrollApproval, ({ caller, params }) => getPayrollApproval(context, caller, params.approvalId))
  serve(operations.abandonPayrollApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payrolls'),
  )
  serve(operations.cancelPayroll, {
    rules: ({ caller, body }, isSound) =>
      isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : [],
    handle: ({ caller, body }) => cancelPayroll(context, consentActorOf(caller), body),
  })
  serve(operations.getPayrollCancellation, ({ caller, params }) => getPayrollCancellation(context, caller, params.id))
  serve(operations.abandonPayrollCancellation, ({ caller, params }) =>
    abandonCancellation(context, caller, 'payroll', params.id),
  )
}
