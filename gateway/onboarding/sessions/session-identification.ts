/** Identifies the user of a browser session at an identity provider before the session may read the answers. */
import type { Context } from '../../context.ts'
import { languageOfCountry } from '../../countries/served-countries.ts'
import { IdentityProviderError } from '../../identity/identity-provider.ts'
import { matchesExpectedPerson, type Person } from '../../identity/person.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { actorOf, recordOnboardingAction } from '../record-onboarding.ts'
import { toRegisteredPerson } from '../store/onboarding-answers.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import type { OnboardingSession } from '../store/onboarding-session.ts'
import {
  consumeIdentification,
  distrustSessions,
  saveIdentification,
  trustIdentifiedSession,
} from '../store/onboarding-session-store.ts'
import { currentSigners } from '../store/onboarding-signer.ts'
import { listSigners, saveIdentifiedPerson } from '../store/onboarding-signer-store.ts'
import { requireOnboarding } from '../store/onboarding-store.ts'

/** The URL to redirect the browser to, or why there is none. */
export type IdentificationStart =
  | { readonly outcome: 'begun'; readonly url: string }
  | { readonly outcome: 'no-provider' }
  /** The provider does not answer: the user may try again. */
  | { readonly outcome: 'unavailable' }

export type IdentificationResult =
  /** The session is trusted under a new token; the old token is invalid (prevents session fixation). */
  | { readonly outcome: 'identified'; readonly token: string }
  /** Not an expected person; the identity is not stored. */
  | { readonly outcome: 'other-person' }
  /** The user cancelled at the provider. */
  | { readonly outcome: 'declined' }
  /** The callback belongs to another session or an earlier attempt: the user must start again. */
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'not-proven' }
  /** The provider does not answer: the same URL may be loaded again. */
  | { readonly outcome: 'unavailable' }

/** Starts an identification. The browser returns to `back`, a URL below `{onboardingUrl}/onboarding/`. */
export async function beginIdentification(
  context: Context,
  session: OnboardingSession,
  { back }: { readonly back: string },
): Promise<IdentificationStart> {
  const onboarding = await requireOnboarding(context.database, {
    partnerId: session.partnerId,
    id: session.onboardingId,
  })
  const { countryCode } = onboarding
  const provider = context.identity.of(countryCode)
  if (provider === null) {
    return { outcome: 'no-provider' }
  }
  try {
    const request = { back, countryCode, documentHash: null, text: null, language: languageOfCountry(countryCode) }
    const { url, secret } = await provider.begin(request)
    await saveIdentification(context, session, {
      identityProvider: provider.id,
      secret,
      startedAt: context.clock.real(),
    })
    return { outcome: 'begun', url }
  } catch (error) {
    logIdentityError(context, session, error)
    return { outcome: 'unavailable' }
  }
}

/**
 * Handles the identity provider's callback. With a signer's link only that signer is accepted; with the company's link
 * any signer and any person with a role in the registry.
 */
export async function finishIdentification(
  context: Context,
  session: OnboardingSession,
  query: Readonly<Record<string, string>>,
): Promise<IdentificationResult> {
  const begun = await consumeIdentification(context, session)
  const provider = begun && context.identity.find(begun.identityProvider)
  if (begun === undefined || provider == null) {
    return { outcome: 'foreign' }
  }
  const putBack = () => saveIdentification(context, session, { ...begun, startedAt: context.clock.real() }, true)
  try {
    const identification = await provider.finish({ query, secret: begun.secret })
    if (identification.outcome === 'identified') {
      return await grantSessionAccess(context, session, identification.person)
    }
    if (identification.outcome === 'denied') {
      return { outcome: 'declined' }
    }
    // The user may have begun twice, in two tabs: the callback of the other one uses nothing up.
    await putBack()
    return { outcome: 'foreign' }
  } catch (error) {
    if (logIdentityError(context, session, error) === 'not-proven') {
      return { outcome: 'not-proven' }
    }
    await putBack()
    return { outcome: 'unavailable' }
  }
}

async function grantSessionAccess(
  context: Context,
  session: OnboardingSession,
  person: Person,
): Promise<IdentificationResult> {
  const onboarding = await requireOnboarding(context.database, {
    partnerId: session.partnerId,
    id: session.onboardingId,
  })
  const signers = currentSigners(await listSigners(context, onboarding))
  const { registered } = await readAnswers(context, onboarding)
  const signer = signers.find(({ id }) => id === session.signerId)
  const named = session.signerId === null ? signers : signer === undefined ? [] : [signer]
  const inRoles = session.signerId === null ? (registered?.roles ?? []) : []
  const expected = [...named.map(toRegisteredPerson), ...inRoles.map((role) => role.person)]
  if (!expected.some((candidate) => matchesExpectedPerson(person, candidate))) {
    return { outcome: 'other-person' }
  }
  if (signer !== undefined) {
    await saveIdentifiedPerson(context, signer, person)
  }
  const token = newToken()
  const isGranted = await inTransaction(context, async (context) => {
    if (
      !(await trustIdentifiedSession(context.database, session, {
        at: context.clock.now(),
        tokenHash: hashToken(token),
      }))
    ) {
      return false
    }
    if (session.signerId === null) {
      await distrustSessions(context.database, onboarding, { areIdentified: false })
    }
    const entry = { action: 'onboarding person identified' as const, detail: { signer: session.signerId } }
    await recordOnboardingAction(context, onboarding, { actor: actorOf(session), ...entry })
    return true
  })
  return isGranted ? { outcome: 'identified', token } : { outcome: 'foreign' }
}

/** Logs an identity provider's error and returns its kind; rethrows anything else. */
function logIdentityError({ log }: Context, { id }: OnboardingSession, error: unknown): IdentityProviderError['kind'] {
  if (!(error instanceof IdentityProviderError)) {
    throw error
  }
  log.warn({ sessionId: id, kind: error.kind, error }, 'identification failed')
  return error.kind
}
