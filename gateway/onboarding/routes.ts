/** Serves the operations on onboarding and on companies. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { checkReturnUrl } from '../authorisations/callback-url-validation.ts'
import { listCompanies } from '../companies/list-companies.ts'
import { registerCompany } from '../companies/register-company.ts'
import { switchSubscription } from '../companies/set-company-subscription.ts'
import { companyProblems } from '../companies/validate-company-request.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { cancelOnboarding } from './cancel-onboarding.ts'
import { listOnboardings, requireOwnOnboarding, shownOnboarding, showOnboarding } from './get-onboarding.ts'
import { startOnboarding } from './start-onboarding.ts'

export function serveOnboarding<Consent>(serve: Serve<PartnerCaller, Consent>, context: RegistryContext): void {
  serve(operations.listCompanies, ({ caller }) => listCompanies(context, caller))
  serve(operations.activateSubscription, ({ caller, params }) => switchSubscription(context, caller, params, true))
  serve(operations.cancelSubscription, ({ caller, params }) => switchSubscription(context, caller, params, false))
  serve(operations.startOnboarding, {
    rules: ({ caller, body }, isSound) => [
      ...companyProblems(body, isSound),
      ...(isSound('.redirectUrl') && body.redirectUrl !== undefined
        ? checkReturnUrl(context.config, caller, { path: '.redirectUrl', url: body.redirectUrl })
        : []),
    ],
    handle: ({ caller, body }) => startOnboarding(context, caller, body),
  })
  serve(operations.listOnboardings, ({ caller, query }) => listOnboardings(context, caller, query))
  serve(operations.getOnboardingStatus, ({ caller, params }) => showOnboarding(context, caller, params.id))
  serve(operations.cancelOnboarding, async ({ caller, params }) => {
    const onboarding = await requireOwnOnboarding(context, caller, params.id)
    return shownOnboarding(await cancelOnboarding(context, `client ${caller.clientId}`, onboarding))
  })
  serve(operations.registerCompany, {
    rules: ({ body }, isSound) => companyProblems(body, isSound),
    handle: ({ caller, body }) => registerCompany(context, caller, body),
  })
}
