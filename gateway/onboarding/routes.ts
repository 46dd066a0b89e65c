/** Registers the routes of the operations on onboardings and companies. */

import { operations } from '../../contract/operations.ts'
import { validateCallbackUrl } from '../auth/callback-origin.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { listCompanies } from '../companies/list-companies.ts'
import { registerCompany } from '../companies/register-company.ts'
import { setCompanySubscription } from '../companies/set-company-subscription.ts'
import { validateCompanyRequest } from '../companies/validate-company-request.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { cancelOnboarding } from './cancel-onboarding.ts'
import { getOnboarding, listOnboardings, renderOnboarding, requireOwnOnboarding } from './get-onboarding.ts'
import { startOnboarding } from './start-onboarding.ts'

export function serveOnboarding<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.listCompanies, ({ caller }) => listCompanies(context, caller))
  serve(operations.activateSubscription, ({ caller, params }) => setCompanySubscription(context, caller, params, true))
  serve(operations.cancelSubscription, ({ caller, params }) => setCompanySubscription(context, caller, params, false))
  serve(operations.startOnboarding, {
    rules: ({ caller, body }, isSound) => [
      ...validateCompanyRequest(body, isSound),
      ...(isSound('.redirectUrl') && body.redirectUrl !== undefined
        ? validateCallbackUrl(context.config, caller, body.redirectUrl, '.redirectUrl')
        : []),
    ],
    handle: ({ caller, body }) => startOnboarding(context, caller, body),
  })
  serve(operations.listOnboardings, ({ caller, query }) => listOnboardings(context, caller, query))
  serve(operations.getOnboardingStatus, ({ caller, params }) => getOnboarding(context, caller, params.id))
  serve(operations.cancelOnboarding, async ({ caller, params }) => {
    const onboarding = await requireOwnOnboarding(context, caller, params.id)
    return renderOnboarding(await cancelOnboarding(context, `client ${caller.clientId}`, onboarding))
  })
  serve(operations.registerCompany, {
    rules: ({ body }, isSound) => validateCompanyRequest(body, isSound),
    handle: ({ caller, body }) => registerCompany(context, caller, body),
  })
}
