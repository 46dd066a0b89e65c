/** Shows onboardings, and lets operators decide about them; the list is one of records. */
import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { actOnOnboarding, ONBOARDING_ACTIONS } from './act-on-onboarding.ts'
import { downloadDocument, ONBOARDINGS_PATH, onboardingPage } from './onboarding-page.ts'

export function onboardingRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const one = `${ONBOARDINGS_PATH}/:onboardingId`
  return [
    get('payments.read')(one, (request) => onboardingPage(context, request)),
    get('operations.read')(`${one}/documents/:documentId`, (request) => downloadDocument(context, request)),
    ...ONBOARDING_ACTIONS.map(
      (action): ConsoleRoute =>
        post(action === 'cancel' ? 'payments.act' : 'operations.act')(`${one}/${action}`, (request) =>
          actOnOnboarding(context, request, action),
        ),
    ),
  ]
}
