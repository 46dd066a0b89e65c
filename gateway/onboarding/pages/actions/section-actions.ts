/** Answers the pages on which the company's people write: shows them, and saves what was sent. */
import type { FastifyReply } from 'fastify'
import { readForm } from '../../../platform/http/pages/form.ts'
import { type Page, sendPage } from '../../../platform/http/pages/page.ts'
import { completeSections, hasTodaysTerms, type OnboardingAnswers } from '../../answers/onboarding-answers.ts'
import { readAnswers } from '../../answers/onboarding-answers-store.ts'
import { type SectionTyped, saveSection } from '../../answers/save-section.ts'
import { submitOnboarding } from '../../answers/submit-onboarding.ts'
import { mayWrite } from '../../onboarding.ts'
import { findSession } from '../../sessions/onboarding-session-store.ts'
import { type Answer, type Flow, type FlowContext, mayRead, nextToWrite, sendOn } from '../flow.ts'
import type { FlowView, Remarks } from '../flow-view.ts'
import { problemTexts } from '../views/answer-error-texts.ts'
import { companyPage, companyShown, readCompanyForm } from '../views/company-page.ts'
import { changedOwners, ownersPage, ownersShown, readOwnersForm } from '../views/owners-page.ts'
import { changedSigners, readSignersForm, signersPage, signersShown } from '../views/signers-page.ts'
import { summaryPage } from '../views/summary-page.ts'
import { readTermsForm, termsPage } from '../views/terms-page.ts'

type Typed = SectionTyped extends infer One ? (One extends unknown ? Omit<One, 'revision'> : never) : never

/** What a section's page does. */
type SectionPage = {
  /** What the form sent, and whether it was sent for a row more or less only. */
  read(body: unknown, answers: OnboardingAnswers): { readonly typed: Typed; readonly isOnlyRows: boolean }
  /** The page as it stands, or with what was just typed. */
  show(view: FlowView, answers: OnboardingAnswers, remarks?: Remarks): Page
}

export type SectionPageName = 'company' | 'owners' | 'signers' | 'terms'

export const SECTION_PAGES: Readonly<Record<SectionPageName, SectionPage>> = {
  company: {
    read: (body, { registered }) => {
      const typed = readCompanyForm(body)
      const name = registered?.name ?? typed.name
      return { typed: { section: 'CompanyDetails', typed: { ...typed, name } }, isOnlyRows: false }
    },
    show: (view, answers, remarks) => companyPage(view, answers, companyShown(answers), remarks),
  },
  owners: {
    read: (body) => {
      const changed = changedOwners(body)
      const typed = changed ?? readOwnersForm(body)
      return { typed: { section: 'BeneficialOwners', typed }, isOnlyRows: changed !== undefined }
    },
    show: (view, answers, remarks) => ownersPage(view, ownersShown(answers), remarks),
  },
  signers: {
    read: (body, { registered }) => {
      const changed = changedSigners(body)
      const typed = changed ?? readSignersForm(body, registered)
      return { typed: { section: 'Signers', typed }, isOnlyRows: changed !== undefined }
    },
    show: (view, answers, remarks) => signersPage(view, answers, signersShown(answers), remarks),
  },
  terms: {
    read: (body) => ({ typed: { section: 'Terms', typed: readTermsForm(body) }, isOnlyRows: false }),
    show: (view, answers, remarks) => termsPage(view, answers, remarks),
  },
}

/** Shows a section. */
export function showSection(context: FlowContext, name: SectionPageName): Answer {
  return forWriters(context, async (flow, _request, reply) => {
    const answers = await readAnswers(context, flow.onboarding)
    return sendPage(reply, SECTION_PAGES[name].show(flow.view, answers))
  })
}

/** Saves a section. Whatever comes of it, what was typed is on the page that follows, or saved. */
export function saveSent(context: FlowContext, name: SectionPageName): Answer {
  return forWriters(context, async (flow, request, reply) => {
    const before = await readAnswers(context, flow.onboarding)
    const { typed, isOnlyRows } = SECTION_PAGES[name].read(request.body, before)
    const asked: SectionTyped = { ...typed, revision: sentRevision(request.body) }
    const saved = await saveSection(context, flow.came, asked, flow.session)
    if (saved.outcome === 'closed') {
      return sendOn(reply, flow)
    }
    if (saved.outcome === 'changed-meanwhile') {
      return await sendChanged(context, flow, reply, name, typed)
    }
    const answers = await readAnswers(context, flow.came)
    if (isOnlyRows) {
      return sendOn(reply, flow, name)
    }
    if (saved.outcome === 'saved') {
      return sendOn(reply, flow, nextToWrite(answers))
    }
    const view = { ...flow.view, onboarding: saved.onboarding }
    const problems = problemTexts(view.texts, saved.problems)
    return sendPage(reply, SECTION_PAGES[name].show(view, answers, { problems }))
  })
}

/** What was typed is shown with the revision that it would replace; the same twice (a double click) is no conflict. */
async function sendChanged(
  context: FlowContext,
  asker: Flow,
  reply: FastifyReply,
  name: SectionPageName,
  asked: Typed,
): Promise<FastifyReply> {
  const { came, view, ...flow } = asker
  if (!(await mayReadNow(context, asker))) {
    return sendOn(reply, { view })
  }
  const answers = await readAnswers(context, came)
  if (isKept(answers, asked)) {
    return sendOn(reply, { view }, nextToWrite(answers))
  }
  const { section, typed } = asked
  const shown = { ...answers, drafts: { ...answers.drafts, [section]: typed } }
  const now = { ...view, onboarding: flow.onboarding }
  return sendPage(reply, SECTION_PAGES[name].show(now, shown, { problems: [], isChangedMeanwhile: true }))
}

/** Its session may have been trusted a moment ago, by another tab of it. */
async function mayReadNow(context: FlowContext, flow: Flow): Promise<boolean> {
  const session = await findSession(context.database, flow.session, context.clock.real())
  return session !== undefined && (await mayRead(context, { ...flow, session }))
}

export function showSummary(context: FlowContext): Answer {
  return forWriters(context, async (flow, _request, reply) => await sendSummary(context, flow, reply, false))
}

/** Confirms the summary that was shown, and no other. */
export function confirmSummary(context: FlowContext): Answer {
  return forWriters(context, async (flow, request, reply) => {
    const { outcome } = await submitOnboarding(context, flow.came, { revision: sentRevision(request.body) })
    return outcome === 'changed-meanwhile' ? await sendSummary(context, flow, reply, true) : sendOn(reply, flow)
  })
}

async function sendSummary(
  context: FlowContext,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  isChangedMeanwhile: boolean,
): Promise<FastifyReply> {
  const answers = await readAnswers(context, onboarding)
  const sections = completeSections(answers)
  return sections === undefined || !hasTodaysTerms(answers)
    ? sendOn(reply, { view })
    : sendPage(reply, summaryPage(view, sections, isChangedMeanwhile))
}

/** For browsers that may write now; others are sent to where they belong. */
function forWriters(context: FlowContext, answer: Answer): Answer {
  return async (flow, request, reply) =>
    mayWrite(flow.onboarding) && (await mayRead(context, flow))
      ? await answer(flow, request, reply)
      : sendOn(reply, flow)
}

/** Of the answers that the page showed; what is no number is no revision. */
function sentRevision(body: unknown): number {
  const text = readForm(body).text('revision')
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

/** Whether what was sent is what is kept. */
function isKept(answers: OnboardingAnswers, { section, typed }: Typed): boolean {
  const { drafts, sections } = answers
  return section === 'Terms'
    ? typed.accepted && hasTodaysTerms(answers)
    : JSON.stringify(drafts[section] ?? sections[section]) === JSON.stringify(typed)
}
