/** Shows onboardings, and lets operators decide about them; the list is one of records. */
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { actOnOnboarding, ONBOARDING_ACTIONS } from './act-on-onboarding.ts'
import { downloadDocument, ONBOARDINGS_PATH, onboardingPage } from './onboarding-page.ts'

export function onboardingRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const one = `${ONBOARDINGS_PATH}/:onboardingId`
  return [
    { method: 'GET', permission: 'payments.read', path: one, handle: (request) => onboardingPage(context, request) },
    {
      method: 'GET',
      permission: 'operations.read',
      path: `${one}/documents/:documentId`,
      handle: (request) => downloadDocument(context, request),
    },
    ...ONBOARDING_ACTIONS.map(
      (action): ConsoleRoute => ({
        method: 'POST',
        // Partners cancel over the API, too.
        permission: action === 'cancel' ? 'payments.act' : 'operations.act',
        path: `${one}/${action}`,
        handle: (request) => actOnOnboarding(context, request, action),
      }),
    ),
  ]
}
