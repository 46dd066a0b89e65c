/** Shows onboardings, and carries out actions on them by the operations of the command line, as the user. */

import type { Context } from '../../gateway/context.ts'
import { cancelOnboarding } from '../../gateway/onboarding/cancel-onboarding.ts'
import { type ReviewDecision, reviewOnboarding } from '../../gateway/onboarding/decision/review-onboarding.ts'
import { revokeOnboardingLink } from '../../gateway/onboarding/onboarding-link.ts'
import { type Onboarding, OnboardingActionRejected } from '../../gateway/onboarding/store/onboarding.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { executeAction } from '../markup/action-form.ts'
import { SEEN_FIELD } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'
import { onboardingVersion, REJECTION_REASONS } from './onboarding-forms.ts'
import { downloadDocument, ONBOARDINGS_PATH, onboardingPage, requireOnboardingInPath } from './onboarding-page.ts'

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

/** The actions; each is the last part of the path of its form. */
const ONBOARDING_ACTIONS = ['accept', 'reject', 'ask-for-documents', 'cancel', 'revoke-link'] as const
type OnboardingAction = (typeof ONBOARDING_ACTIONS)[number]

/** Changes nothing when the onboarding is not any more as the user saw it: the page then says what it is. */
async function actOnOnboarding(
  context: Context,
  request: ConsoleRequest,
  action: OnboardingAction,
): Promise<ConsoleAnswer> {
  const { form, viewer } = request
  const { onboarding } = await requireOnboardingInPath(context, request)
  const rejected = await executeAction(async () => {
    if (form.text(SEEN_FIELD) !== onboardingVersion(onboarding)) {
      const { status, statusReason } = onboarding
      const state = statusReason === null ? status : `${status} (${statusReason})`
      throw apiError('conflict', consoleText('onboarding.changedMeanwhile', { state }))
    }
    const perform = operationOf(action, form)
    if (perform === undefined) {
      throw apiError('bad-request', consoleText('onboarding.incomplete'))
    }
    await perform(context, actorOf(viewer.session), onboarding)
  }, OnboardingActionRejected)
  return rejected === undefined
    ? { kind: 'redirect', to: `${ONBOARDINGS_PATH}/${onboarding.id}` }
    : await onboardingPage(context, request, { ...rejected, entered: form })
}

type Operation = (context: Context, actor: string, onboarding: Onboarding) => Promise<unknown>

/** Undefined where the form lacks something. */
function operationOf(action: OnboardingAction, form: Form): Operation | undefined {
  if (action === 'cancel') {
    return cancelOnboarding
  }
  if (action === 'revoke-link') {
    const signerId = form.text('signer')
    return signerId === '' || isId(signerId)
      ? (context, actor, onboarding) => revokeOnboardingLink(context, actor, onboarding, signerId || null)
      : undefined
  }
  const decision = decisionOf(action, form)
  return decision && ((context, actor, onboarding) => reviewOnboarding(context, actor, onboarding, decision))
}

function decisionOf(
  action: Exclude<OnboardingAction, 'cancel' | 'revoke-link'>,
  form: Form,
): ReviewDecision | undefined {
  const reasonIn = (name: string) => REJECTION_REASONS.find((reason) => reason === form.text(name))
  switch (action) {
    case 'accept': {
      const despite = reasonIn('despite')
      return despite === undefined && form.text('despite') !== ''
        ? undefined
        : { say: 'accept', ...(despite === undefined ? {} : { despite }) }
    }
    case 'reject': {
      const reason = reasonIn('reason')
      return reason && { say: 'reject', reason }
    }
    case 'ask-for-documents': {
      const words = form.text('words')
      return words === '' ? undefined : { say: 'ask-for-documents', words }
    }
  }
}
