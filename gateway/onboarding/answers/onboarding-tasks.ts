/** Lists the tasks of an onboarding and which are done. */
import type { OnboardingTask } from '../../../contract/onboarding.ts'
import type { Onboarding, TaskType } from '../onboarding.ts'
import { hasCurrentTerms, type OnboardingAnswers, SECTIONS } from './onboarding-answers.ts'

const ALWAYS = [...SECTIONS, 'Summary', 'Signatures'] as const satisfies readonly TaskType[]

/** The tasks in the order of the flow; documents only when they were requested. */
export function tasksOf({
  tasksDone,
  documentsRequestedAt,
}: Pick<Onboarding, 'tasksDone' | 'documentsRequestedAt'>): OnboardingTask[] {
  const types: readonly TaskType[] = documentsRequestedAt === null ? ALWAYS : [...ALWAYS, 'Documents']
  return types.map((type) => ({ type, status: tasksDone.includes(type) ? 'Done' : 'Open' }))
}

/** The valid sections; terms of an earlier version count as open. */
export function sectionsDone(answers: Pick<OnboardingAnswers, 'sections' | 'drafts'>): TaskType[] {
  const { sections, drafts } = answers
  return SECTIONS.filter(
    (section) =>
      sections[section] !== undefined &&
      drafts[section] === undefined &&
      (section !== 'Terms' || hasCurrentTerms(answers)),
  )
}
