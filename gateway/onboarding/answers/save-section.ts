/** Saves what a company's people wrote in one section; what is not sound is kept as it was typed, with what is wrong. */
import type { Context } from '../../context.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { expiryAfter, mayWrite, type Onboarding, type OnboardingKey } from '../onboarding.ts'
import { findOnboarding } from '../onboarding-store.ts'
import type { OnboardingSession } from '../sessions/onboarding-session.ts'
import { trustSession } from '../sessions/onboarding-session-store.ts'
import {
  type AnswerProblem,
  type Judged,
  judgeBeneficialOwners,
  judgeCompanyDetails,
  judgeSigners,
  type OwnersTyped,
} from './answer-validation.ts'
import {
  type ChosenSigners,
  type CompanyDetails,
  type OnboardingAnswers,
  type Section,
  type SectionAnswers,
  TERMS_VERSION,
} from './onboarding-answers.ts'
import { readAnswers, saveAnswers } from './onboarding-answers-store.ts'
import { sectionsDone } from './onboarding-tasks.ts'

/** What was typed in a section, and the revision of the answers that its page showed. */
export type SectionTyped = { readonly revision: number } & (
  | { readonly section: 'CompanyDetails'; readonly typed: CompanyDetails }
  | { readonly section: 'BeneficialOwners'; readonly typed: OwnersTyped }
  | { readonly section: 'Signers'; readonly typed: ChosenSigners }
  | { readonly section: 'Terms'; readonly typed: { readonly accepted: boolean } }
)

/** What came of saving. Whatever the outcome, nothing of another page was overwritten. */
export type SectionSaved =
  | { readonly outcome: 'saved'; readonly onboarding: Onboarding }
  | { readonly outcome: 'unsound'; readonly onboarding: Onboarding; readonly problems: readonly AnswerProblem[] }
  /** Somebody saved since the page was shown; nothing was kept of what was typed. */
  | { readonly outcome: 'changed-meanwhile' }
  /** The answers stand still, or the onboarding has ended. */
  | { readonly outcome: 'closed' }

/** Saves one section; touches the onboarding. The browser whose session it came by sees what is written from then on. */
export async function saveSection(
  context: Context,
  key: OnboardingKey,
  typed: SectionTyped,
  session?: OnboardingSession,
): Promise<SectionSaved> {
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding === undefined || !mayWrite(onboarding)) {
    return { outcome: 'closed' }
  }
  if (onboarding.revision !== typed.revision) {
    return { outcome: 'changed-meanwhile' }
  }
  const before = await readAnswers(context, key)
  const { answers, problems } = withSection(context, before, typed)
  const at = context.clock.now()
  const saved = { answers, at, expiresAt: expiryAfter(at), tasksDone: sectionsDone(answers) }
  const { seal } = context
  const isSaved = await atomically(context.database, async (database) => {
    const isMine = await saveAnswers({ database, seal }, onboarding, saved)
    if (isMine && session !== undefined) {
      await trustSession(database, session, at)
    }
    return isMine
  })
  if (!isSaved) {
    return { outcome: 'changed-meanwhile' }
  }
  const now = (await findOnboarding(context.database, key)) ?? onboarding
  return problems.length === 0
    ? { outcome: 'saved', onboarding: now }
    : { outcome: 'unsound', onboarding: now, problems }
}

type Written = { readonly answers: OnboardingAnswers; readonly problems: readonly AnswerProblem[] }

function withSection(context: Context, answers: OnboardingAnswers, asked: SectionTyped): Written {
  const today = context.clock.today('Europe/Oslo')
  switch (asked.section) {
    case 'CompanyDetails':
      return write(answers, asked, judgeCompanyDetails(asked.typed, answers))
    case 'BeneficialOwners':
      return write(answers, asked, judgeBeneficialOwners(asked.typed, today))
    case 'Signers':
      return write(answers, asked, judgeSigners(asked.typed, answers, today))
    case 'Terms':
      return write(answers, asked, judgeTerms(asked.typed, context.clock.now()))
    default: {
      const nothing: never = asked
      return nothing
    }
  }
}

/** The section in place of its draft, or the draft in place of what was sound before. */
function write<Name extends Section>(
  { registered, sections, drafts }: OnboardingAnswers,
  { section, typed }: { readonly section: Name; readonly typed: unknown },
  judged: Judged<SectionAnswers[Name]>,
): Written {
  const { [section]: _before, ...otherDrafts } = drafts
  return judged.isSound
    ? {
        answers: { registered, sections: { ...sections, [section]: judged.section }, drafts: otherDrafts },
        problems: [],
      }
    : { answers: { registered, sections, drafts: { ...drafts, [section]: typed } }, problems: judged.problems }
}

function judgeTerms(
  { accepted }: { readonly accepted: boolean },
  at: Temporal.Instant,
): Judged<SectionAnswers['Terms']> {
  return accepted
    ? { isSound: true, section: { version: TERMS_VERSION, at: at.toString() } }
    : { isSound: false, problems: [{ path: 'accepted', fault: 'missing' }] }
}
