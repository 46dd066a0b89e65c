/** Lets the user of a browser session identify, without signing anything, before the session is shown more. */
import type { Context } from '../../context.ts'
import type { IdentityContext } from '../../identity/identity-context.ts'
import { IdentityRefusal } from '../../identity/identity-refusal.ts'
import { isExpected, type Person } from '../../identity/person.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { asRegistered } from '../answers/onboarding-answers.ts'
import { readAnswers } from '../answers/onboarding-answers-store.ts'
import { findOnboarding } from '../onboarding-store.ts'
import { actorOf, noteStep } from '../record-onboarding-action.ts'
import { currentSigners } from '../signatures/onboarding-signer.ts'
import { keepIdentified, listSigners } from '../signatures/onboarding-signer-store.ts'
import { countryLanguage } from './country-language.ts'
import { keepIdentification, takeIdentification } from './onboarding-identification-store.ts'
import type { OnboardingSession } from './onboarding-session.ts'
import { distrustUnidentified, trustIdentified } from './onboarding-session-store.ts'

/** Where the browser is sent, or why it is sent nowhere. */
export type IdentificationStarted =
  | { readonly outcome: 'begun'; readonly url: string }
  | { readonly outcome: 'no-provider' }
  /** The provider is away: it may be tried again. */
  | { readonly outcome: 'unavailable' }

/** What came of it. */
export type IdentificationEnded =
  /** The session is trusted from now on, by a token that no one else has seen; the one it had opens nothing any more. */
  | { readonly outcome: 'identified'; readonly token: string }
  /** Somebody else than was asked; nothing is kept of who it was. */
  | { readonly outcome: 'other-person' }
  /** The person said no, or turned back. */
  | { readonly outcome: 'declined' }
  /** What was brought belongs to another session or another time: the browser begins anew. */
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'not-proven' }
  /** The provider is away: the same address may be loaded again. */
  | { readonly outcome: 'unavailable' }

/** Sends the browser to the provider; it comes back to `back`, an address below `{onboardingUrl}/onboarding/`, in the same browser only. */
export async function beginIdentification(
  context: IdentityContext,
  session: OnboardingSession,
  { back }: { readonly back: string },
): Promise<IdentificationStarted> {
  const onboarding = await requireOnboarding(context, session)
  const { countryCode } = onboarding
  const provider = context.identity.of(countryCode)
  if (provider === null) {
    return { outcome: 'no-provider' }
  }
  try {
    const asked = { back, countryCode, documentHash: null, text: null, language: countryLanguage(countryCode) }
    const { url, secret } = await provider.begin(asked)
    await keepIdentification(context, session, { provider: provider.id, secret, at: context.clock.real() })
    return { outcome: 'begun', url }
  } catch (error) {
    warnOf(context, session, error)
    return { outcome: 'unavailable' }
  }
}

/**
 * Takes what the browser of the session brought back. A signer must be the one whose link it was; by the company's own
 * link, whoever signs or has a role by the registry may see what was written.
 */
export async function finishIdentification(
  context: IdentityContext,
  session: OnboardingSession,
  query: Readonly<Record<string, string>>,
): Promise<IdentificationEnded> {
  const begun = await takeIdentification(context, session)
  const provider = begun && context.identity.find(begun.provider)
  if (begun === undefined || provider == null) {
    return { outcome: 'foreign' }
  }
  try {
    const found = await provider.finish({ query, secret: begun.secret })
    if (found.outcome !== 'identified') {
      return { outcome: found.outcome === 'denied' ? 'declined' : 'foreign' }
    }
    return await letIn(context, session, found.person)
  } catch (error) {
    const kind = warnOf(context, session, error)
    if (kind !== 'not-proven') {
      await keepIdentification(context, session, { ...begun, at: context.clock.real() })
      return { outcome: 'unavailable' }
    }
    return { outcome: 'not-proven' }
  }
}

async function letIn(context: Context, session: OnboardingSession, person: Person): Promise<IdentificationEnded> {
  const { clock, database, seal } = context
  const onboarding = await requireOnboarding(context, session)
  const signers = currentSigners(await listSigners({ database, seal }, onboarding))
  const { registered } = await readAnswers({ database, seal }, onboarding)
  const signer = signers.find(({ id }) => id === session.signerId)
  const named = session.signerId === null ? signers : signer === undefined ? [] : [signer]
  const inRoles = session.signerId === null ? (registered?.roles ?? []) : []
  const asked = [...named.map(asRegistered), ...inRoles.map((role) => role.person)]
  if (!asked.some((one) => isExpected(person, one))) {
    return { outcome: 'other-person' }
  }
  if (signer !== undefined) {
    await keepIdentified({ database, seal }, signer, person)
  }
  const token = newToken()
  const isHere = await atomically(database, async (within) => {
    if (!(await trustIdentified(within, session, { at: clock.now(), tokenHash: hashToken(token) }))) {
      return false
    }
    if (session.signerId === null) {
      await distrustUnidentified(within, session)
    }
    const { signerId } = session
    const entry = { actor: actorOf(session), action: 'onboarding person identified', signerId } as const
    await noteStep({ database: within, clock }, onboarding, entry)
    return true
  })
  return isHere ? { outcome: 'identified', token } : { outcome: 'foreign' }
}

async function requireOnboarding(
  { database }: Pick<Context, 'database'>,
  { partnerId, onboardingId }: OnboardingSession,
) {
  const onboarding = await findOnboarding(database, { partnerId, id: onboardingId })
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${onboardingId}`)
  }
  return onboarding
}

/** Anything but a provider's no is a fault of ours. */
function warnOf({ log }: Pick<Context, 'log'>, { id }: OnboardingSession, error: unknown): IdentityRefusal['kind'] {
  if (!(error instanceof IdentityRefusal)) {
    throw error
  }
  log.warn({ sessionId: id, refusal: error.kind, error }, 'nobody could be identified')
  return error.kind
}
