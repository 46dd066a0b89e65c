/** Confirms the summary of an onboarding: freezes the answers and creates the signers. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../../platform/ids.ts'
import { recordOnboardingAction } from '../record-onboarding.ts'
import { maySign, mayWrite, type Onboarding, type OnboardingKey } from '../store/onboarding.ts'
import {
  completeSections,
  hasCurrentTerms,
  type OnboardingAnswers,
  type SectionAnswers,
  sectionsDone,
} from '../store/onboarding-answers.ts'
import { readAnswers, saveAnswers } from '../store/onboarding-answers-store.ts'
import type { OnboardingSession } from '../store/onboarding-session.ts'
import { distrustSessions, endSessions } from '../store/onboarding-session-store.ts'
import { currentSigners } from '../store/onboarding-signer.ts'
import { insertSigners, listSigners, transitionSigner } from '../store/onboarding-signer-store.ts'
import { lockOnboarding } from '../store/onboarding-store.ts'

export type SubmitResult = {
  /**
   * `incomplete`: a section is missing or invalid, or the terms have changed since they were accepted. `changed-meanwhile`:
   * the answers were changed after the summary was shown, which must be read again.
   */
  readonly outcome: 'submitted' | 'incomplete' | 'changed-meanwhile' | 'closed'
}

/** Confirms the answers of this revision. `session` is that of the browser which confirms. */
export async function submitOnboarding(
  context: Context,
  key: OnboardingKey,
  { revision }: Pick<Onboarding, 'revision'>,
  session?: OnboardingSession,
): Promise<SubmitResult> {
  return await inTransaction(context, async (context): Promise<SubmitResult> => {
    const onboarding = await lockOnboarding(context.database, key)
    if (onboarding === undefined || !mayWrite(onboarding)) {
      return { outcome: 'closed' }
    }
    if (onboarding.revision !== revision) {
      return { outcome: 'changed-meanwhile' }
    }
    const answers = await readAnswers(context, key)
    const sections = completeSections(answers)
    if (sections === undefined || !hasCurrentTerms(answers)) {
      return { outcome: 'incomplete' }
    }
    if (await isSignerRemoved(context, onboarding, sections)) {
      await distrustSessions(context.database, onboarding, { areIdentified: true, exceptId: session?.id })
    }
    await saveSubmission(context, onboarding, answers, sections)
    return { outcome: 'submitted' }
  })
}

/** Whether a signer of an earlier confirmation is no signer of this one. */
async function isSignerRemoved(
  context: Context,
  onboarding: Onboarding,
  { Signers }: SectionAnswers,
): Promise<boolean> {
  const earlier = await listSigners(context, onboarding)
  return earlier.some(
    ({ name, birthDate }) => !Signers.signers.some((signer) => signer.name === name && signer.birthDate === birthDate),
  )
}

async function saveSubmission(
  context: Context,
  onboarding: Onboarding,
  confirmed: OnboardingAnswers,
  sections: SectionAnswers,
): Promise<void> {
  const at = context.clock.now()
  const answers = { ...confirmed, documentSalt: newToken() }
  await saveAnswers(context, onboarding, {
    answers,
    at,
    tasksDone: [...sectionsDone(answers), 'Summary'],
    submittedAt: at,
    documentHash: documentHash(signedDocument(onboarding, answers, sections)),
  })
  const { partnerId, id: onboardingId } = onboarding
  const signers = sections.Signers.signers.map((named, position) => ({
    partnerId,
    id: newId(),
    onboardingId,
    position,
    named,
    createdAt: at,
  }))
  await insertSigners(context, signers)
  const entry = { actor: 'company', action: 'onboarding submitted' as const, detail: { signer: null } }
  await recordOnboardingAction(context, onboarding, entry)
}

/** False when the onboarding does not await signatures. */
export async function reopenAnswers(context: Context, actor: string, key: OnboardingKey): Promise<boolean> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    if (onboarding === undefined || !maySign(onboarding)) {
      return false
    }
    const at = clock.now()
    for (const signer of currentSigners(await listSigners(context, key))) {
      await transitionSigner(context, signer, { status: 'Revoked', at })
      await endSessions(context.database, key, signer.id)
    }
    await recordOnboardingAction(context, key, { actor, action: 'onboarding reopened', detail: { signer: null } })
    const answers = await readAnswers(context, key)
    const saved = { answers, at, tasksDone: sectionsDone(answers) }
    return await saveAnswers(context, onboarding, { ...saved, submittedAt: null, documentHash: null })
  })
}

/** The document; the same answers and salt give the same text, independent of the order of stored keys. */
export function signedDocument(
  { countryCode, organisationNumber }: Pick<Onboarding, 'countryCode' | 'organisationNumber'>,
  { registered, documentSalt }: Pick<OnboardingAnswers, 'registered' | 'documentSalt'>,
  sections: SectionAnswers,
): string {
  const { CompanyDetails, BeneficialOwners, Signers, Terms } = sections
  return canonical({
    company: { countryCode, organisationNumber, ...CompanyDetails },
    beneficialOwners: BeneficialOwners,
    signers: Signers.signers,
    terms: Terms,
    registry: registered === null ? null : { source: registered.source, readAt: registered.readAt },
    salt: documentSalt,
  })
}

/** SHA-256 of the text in base64url, which identity providers sign; birth dates cannot be guessed from it due to the salt. */
export function documentHash(document: string): string {
  return hashToken(document)
}

/** JSON with sorted object keys (as in RFC 8785). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value ?? null)
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const written = members.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${written.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
