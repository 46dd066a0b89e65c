/** Serves the operations on cancellations of payrolls. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { Serve } from '../../foundation/http/served-operation.ts'
import { checkCallbackUrl } from '../../signing/callback-rules.ts'
import { abandonPayrollCancellation } from './abandon-payroll-cancellation.ts'
import { cancelPayroll } from './cancel-payroll.ts'
import { showPayrollCancellation } from './show-payroll-cancellation.ts'

export function servePayrollCancellations(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.cancelPayroll, {
    rules: ({ caller, body }, isSound) =>
      isSound('.callbackUrl') ? checkCallbackUrl(context.config, caller, body.callbackUrl) : [],
    handle: ({ caller, body }) => cancelPayroll(context, caller, body),
  })
  serve(operations.readPayrollCancellation, ({ caller, params }) => showPayrollCancellation(context, caller, params.id))
  serve(operations.abandonPayrollCancellation, ({ caller, params }) =>
    abandonPayrollCancellation(context, caller, params.id),
  )
}
