/** Selects the bank's method with which the user signs a step, and shows those that the user may choose. */
import { BankError, isUnusableAnswer } from '../banks/connector/bank-error.ts'
import { isCausedByRequest, isDeniedToUser } from '../banks/connector/bank-error-classification.ts'
import type { ScaMethod } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { scaSealPurpose, sealStepApproach } from './authorisation/start-step-authorisation.ts'
import type { RequestingBrowser } from './browser/redirect-to-bank.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { openScaStep, type ScaSession, type ScaStep, type ScaSubject } from './sca-session.ts'
import { isOver } from './sca-session-state.ts'
import { recordMethodSelected } from './store/authorisation-start-store.ts'

/** What follows a choice. */
export type MethodSelected =
  | { readonly to: 'bank'; readonly url: string }
  /** The app, or the list again where nothing was selected. */
  | { readonly to: 'app' }
  /** The bank does not accept this method, or it needs codes that Havn never collects: the user chooses another. */
  | { readonly to: 'choice' }
  | { readonly to: 'nowhere'; readonly why: 'used' | 'unavailable' | 'unusable-answer' }

/** The methods of a step; undefined where there is nothing to choose. */
export function scaMethodsOf(
  { seal }: Context,
  { id }: Pick<ScaSession, 'id'>,
  step: ScaStep | undefined,
): readonly ScaMethod[] | undefined {
  const stored = step?.methodsSealed ?? null
  return stored === null ? undefined : JSON.parse(seal.open(stored, scaSealPurpose('methods', id)))
}

/** Without effect where the choice is made already: by a second click, or another tab. */
export async function selectScaMethod(
  context: Context,
  subject: ScaSubject,
  session: ScaSession,
  { methodId, browser }: { readonly methodId: string; readonly browser: RequestingBrowser },
): Promise<MethodSelected> {
  if (session.outcome !== null || isOver(context, session)) {
    return { to: 'nowhere', why: 'used' }
  }
  const step = openScaStep(session)
  const isOffered = scaMethodsOf(context, session, step)?.some(({ id }) => id === methodId) === true
  if (step === undefined || !isOffered || subject.selectMethod === undefined) {
    return { to: 'app' }
  }
  const { ipAddress, userAgent } = browser
  try {
    const user = { ...session, psu: { ipAddress, userAgent, headers: {} } }
    const approach = await subject.selectMethod(context, user, step, methodId)
    if (approach === undefined) {
      return { to: 'app' }
    }
    const chosen = { approach: sealStepApproach(context, session, approach), at: context.clock.real() }
    await recordMethodSelected(context.database, session, step, chosen)
    return approach.type === 'redirect' ? { to: 'bank', url: approach.url } : { to: 'app' }
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    context.log.warn({ scaSessionId: session.id, errorKind: error.kind }, 'an SCA method could not be selected')
    return await afterError(context, session, error)
  }
}

async function afterError(context: Context, session: ScaSession, error: BankError): Promise<MethodSelected> {
  const stored = openScaStep(await reloadScaSession(context, session))
  if (stored !== undefined && scaMethodsOf(context, session, stored) === undefined) {
    return { to: 'app' }
  }
  if (isCausedByRequest(error) || isDeniedToUser(error)) {
    return { to: 'choice' }
  }
  return { to: 'nowhere', why: isUnusableAnswer(error) ? 'unusable-answer' : 'unavailable' }
}
