/** Serves the operations on cancellations of payrolls. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import { validateCallbackUrl } from '../../authorisations/callback-url-validation.ts'
import { type Consent, consentActorOf } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { Serve } from '../../platform/http/operations/served-operation.ts'
import { abandonPayrollCancellation } from './abandon-payroll-cancellation.ts'
import { cancelPayroll } from './cancel-payroll.ts'
import { getPayrollCancellation } from './get-payroll-cancellation.ts'

export function servePayrollCancellations(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.cancelPayroll, {
    rules: ({ caller, body }, isSound) =>
      isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : [],
    handle: ({ caller, body }) => cancelPayroll(context, consentActorOf(caller), body),
  })
  serve(operations.readPayrollCancellation, ({ caller, params }) => getPayrollCancellation(context, caller, params.id))
  serve(operations.abandonPayrollCancellation, ({ caller, params }) =>
    abandonPayrollCancellation(context, caller, params.id),
  )
}
