/** Tells what a company's people have done of an onboarding, and what is left. */
import type { OnboardingTask } from '../../../contract/onboarding.ts'
import type { Onboarding, TaskType } from '../onboarding.ts'
import { hasTodaysTerms, type OnboardingAnswers, SECTIONS } from './onboarding-answers.ts'

const ALWAYS = [...SECTIONS, 'Summary', 'Signatures'] as const satisfies readonly TaskType[]

/** The tasks in the order of the flow; documents only where some were asked for. */
export function tasksOf({
  tasksDone,
  documentsAskedAt,
}: Pick<Onboarding, 'tasksDone' | 'documentsAskedAt'>): OnboardingTask[] {
  const types: readonly TaskType[] = documentsAskedAt === null ? ALWAYS : [...ALWAYS, 'Documents']
  return types.map((type) => ({ type, status: tasksDone.includes(type) ? 'Done' : 'Open' }))
}

/** The sections that are sound; terms of an earlier version are to be accepted anew. */
export function sectionsDone(answers: Pick<OnboardingAnswers, 'sections' | 'drafts'>): TaskType[] {
  const { sections, drafts } = answers
  return SECTIONS.filter(
    (section) =>
      sections[section] !== undefined &&
      drafts[section] === undefined &&
      (section !== 'Terms' || hasTodaysTerms(answers)),
  )
}
