/** Validates and saves one section of the answers; stores invalid input as a draft. */
import type { Context } from '../../context.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { mayWrite, type Onboarding, type OnboardingKey } from '../store/onboarding.ts'
import {
  type ChosenSigners,
  type CompanyDetails,
  type OnboardingAnswers,
  type Section,
  type SectionAnswers,
  sectionsDone,
  TERMS_VERSION,
} from '../store/onboarding-answers.ts'
import { readAnswers, saveAnswers } from '../store/onboarding-answers-store.ts'
import type { OnboardingSession } from '../store/onboarding-session.ts'
import { trustSession } from '../store/onboarding-session-store.ts'
import { findOnboarding } from '../store/onboarding-store.ts'
import {
  type AnswerError,
  type OwnersInput,
  type SectionValidation,
  validateBeneficialOwners,
  validateCompanyDetails,
  validateSigners,
} from './answer-validation.ts'

/** The input of a section, and the revision of the answers that its page showed. */
export type SectionInput = { readonly revision: number } & (
  | { readonly section: 'CompanyDetails'; readonly typed: CompanyDetails }
  | { readonly section: 'BeneficialOwners'; readonly typed: OwnersInput }
  | { readonly section: 'Signers'; readonly typed: ChosenSigners }
  | { readonly section: 'Terms'; readonly typed: { readonly accepted: boolean } }
)

/** The result of saving. No outcome overwrites input of another browser tab. */
export type SaveSectionResult =
  | { readonly outcome: 'saved'; readonly onboarding: Onboarding }
  | { readonly outcome: 'unsound'; readonly onboarding: Onboarding; readonly validationErrors: readonly AnswerError[] }
  /** The answers changed after the page was shown; the input was not stored. */
  | { readonly outcome: 'changed-meanwhile' }
  /** The answers are confirmed, or the onboarding is in a final status. */
  | { readonly outcome: 'closed' }

/** Saves one section and extends the onboarding. The session may read the answers from then on. */
export async function saveSection(
  context: Context,
  key: OnboardingKey,
  typed: SectionInput,
  session?: OnboardingSession,
): Promise<SaveSectionResult> {
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding === undefined || !mayWrite(onboarding)) {
    return { outcome: 'closed' }
  }
  if (onboarding.revision !== typed.revision) {
    return { outcome: 'changed-meanwhile' }
  }
  const before = await readAnswers(context, key)
  const at = context.clock.now()
  const today = context.clock.today(countryRules(onboarding.countryCode)?.timeZone ?? 'UTC')
  const { answers, errors } = applySection(before, typed, { at, today })
  const saved = { answers, at, tasksDone: sectionsDone(answers) }
  const isSaved = await inTransaction(context, async (context) => {
    const isUpdated = await saveAnswers(context, onboarding, saved)
    // The trust of a session that had it may have ended meanwhile.
    if (isUpdated && session?.trustedAt === null) {
      await trustSession(context.database, session, at)
    }
    return isUpdated
  })
  if (!isSaved) {
    return { outcome: 'changed-meanwhile' }
  }
  const now = (await findOnboarding(context.database, key)) ?? onboarding
  return errors.length === 0
    ? { outcome: 'saved', onboarding: now }
    : { outcome: 'unsound', onboarding: now, validationErrors: errors }
}

type AppliedSection = { readonly answers: OnboardingAnswers; readonly errors: readonly AnswerError[] }

function applySection(
  answers: OnboardingAnswers,
  input: SectionInput,
  { at, today }: { readonly at: Temporal.Instant; readonly today: Temporal.PlainDate },
): AppliedSection {
  switch (input.section) {
    case 'CompanyDetails':
      return replaceSection(answers, input, validateCompanyDetails(input.typed, answers))
    case 'BeneficialOwners':
      return replaceSection(answers, input, validateBeneficialOwners(input.typed, today))
    case 'Signers':
      return replaceSection(answers, input, validateSigners(input.typed, answers, today))
    case 'Terms':
      return replaceSection(answers, input, validateTerms(input.typed, at))
    default: {
      const nothing: never = input
      return nothing
    }
  }
}

/** Stores a valid section and removes its draft, or stores the draft of an invalid one. */
function replaceSection<Name extends Section>(
  { registered, sections, drafts }: OnboardingAnswers,
  { section, typed }: { readonly section: Name; readonly typed: unknown },
  validation: SectionValidation<SectionAnswers[Name]>,
): AppliedSection {
  const { [section]: _before, ...otherDrafts } = drafts
  return validation.isValid
    ? {
        answers: { registered, sections: { ...sections, [section]: validation.section }, drafts: otherDrafts },
        errors: [],
      }
    : { answers: { registered, sections, drafts: { ...drafts, [section]: typed } }, errors: validation.errors }
}

function validateTerms(
  { accepted }: { readonly accepted: boolean },
  at: Temporal.Instant,
): SectionValidation<SectionAnswers['Terms']> {
  return accepted
    ? { isValid: true, section: { version: TERMS_VERSION, at: at.toString() } }
    : { isValid: false, errors: [{ path: 'accepted', fault: 'missing' }] }
}
