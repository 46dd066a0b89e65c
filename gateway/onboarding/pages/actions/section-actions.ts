/** Handles the forms of the sections and the summary: shows them and saves their input. */

import type { FastifyReply } from 'fastify'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { type Page, sendPage } from '../../../platform/http/pages/page.ts'
import { LANGUAGE_PARAMETER, pageLanguage } from '../../../platform/http/pages/page-language.ts'
import { type SectionInput, saveSection } from '../../answers/save-section.ts'
import { submitOnboarding } from '../../answers/submit-onboarding.ts'
import { mayWrite } from '../../store/onboarding.ts'
import { completeSections, hasCurrentTerms, type OnboardingAnswers } from '../../store/onboarding-answers.ts'
import { readAnswers } from '../../store/onboarding-answers-store.ts'
import { findSession } from '../../store/onboarding-session-store.ts'
import { type Flow, type FlowHandler, mayReadAnswers, nextSection, redirectToPage, whenReadable } from '../flow.ts'
import type { FlowView, FormErrors } from '../flow-view.ts'
import { answerErrorTexts } from '../views/answer-error-texts.ts'
import { companyPage, readCompanyForm } from '../views/company-page.ts'
import { changedOwners, ownersPage, readOwnersForm } from '../views/owners-page.ts'
import { readTermsForm, termsPage } from '../views/signer-pages.ts'
import { changedSigners, readSignersForm, signersPage } from '../views/signers-page.ts'
import { summaryPage } from '../views/summary-page.ts'

type SectionForm = SectionInput extends infer One ? (One extends unknown ? Omit<One, 'revision'> : never) : never

/** The form parser and renderer of a section. */
type SectionPage = {
  /** The form input, and whether the form was sent only to add or remove a row. */
  read(body: unknown, answers: OnboardingAnswers): { readonly typed: SectionForm; readonly isOnlyRows: boolean }
  /** The page with the saved answers or drafts. */
  show(view: FlowView, answers: OnboardingAnswers, formErrors?: FormErrors): Page
}

export type SectionPageName = 'company' | 'owners' | 'signers' | 'terms'

const SECTION_PAGES: Readonly<Record<SectionPageName, SectionPage>> = {
  company: {
    read: (body, { registered }) => {
      const typed = readCompanyForm(body)
      const name = registered?.name ?? typed.name
      return { typed: { section: 'CompanyDetails', typed: { ...typed, name } }, isOnlyRows: false }
    },
    show: companyPage,
  },
  owners: {
    read: (body) => {
      const changed = changedOwners(body)
      const typed = changed ?? readOwnersForm(body)
      return { typed: { section: 'BeneficialOwners', typed }, isOnlyRows: changed !== undefined }
    },
    show: ownersPage,
  },
  signers: {
    read: (body, { registered }) => {
      const changed = changedSigners(body)
      const typed = changed ?? readSignersForm(body, registered)
      return { typed: { section: 'Signers', typed }, isOnlyRows: changed !== undefined }
    },
    show: signersPage,
  },
  terms: {
    read: (body) => ({ typed: { section: 'Terms', typed: readTermsForm(body) }, isOnlyRows: false }),
    show: termsPage,
  },
}

export function showSection(name: SectionPageName): FlowHandler {
  return whenReadable(mayWrite, async ({ context, onboarding, view, reply }) =>
    sendPage(reply, SECTION_PAGES[name].show(view, await readAnswers(context, onboarding))),
  )
}

/** Saves a section. Invalid input is shown again on the next page: nothing typed is lost. */
export function saveSubmittedSection(name: SectionPageName): FlowHandler {
  return whenReadable(mayWrite, async (flow) => {
    const { context, request, reply } = flow
    const before = await readAnswers(context, flow.onboarding)
    const { typed, isOnlyRows } = SECTION_PAGES[name].read(request.body, before)
    const input: SectionInput = { ...typed, revision: submittedRevision(request.body) }
    const saved = await saveSection(context, flow.link, input, flow.session)
    if (saved.outcome === 'closed') {
      return redirectToPage(flow)
    }
    if (saved.outcome === 'changed-meanwhile') {
      return await sendRevisionConflict(flow, name, typed)
    }
    const answers = await readAnswers(context, flow.link)
    const language = pageLanguage(parseFormFields(request.body).text(LANGUAGE_PARAMETER))
    if (language !== undefined) {
      return redirectToPage(flow, `${name}?${LANGUAGE_PARAMETER}=${language}`)
    }
    if (isOnlyRows) {
      return redirectToPage(flow, name)
    }
    if (saved.outcome === 'saved') {
      return redirectToPage(flow, nextSection(answers))
    }
    const view = { ...flow.view, onboarding: saved.onboarding }
    const validationErrors = answerErrorTexts(view.texts, saved.validationErrors)
    return sendPage(reply, SECTION_PAGES[name].show(view, answers, { validationErrors }))
  })
}

/** Shows the input with the current revision; identical input (a double click) is no conflict. */
async function sendRevisionConflict(flow: Flow, name: SectionPageName, form: SectionForm): Promise<FastifyReply> {
  const { context, link, view, onboarding } = flow
  // Another tab may have made the session trusted meanwhile.
  const session = await findSession(context.database, flow.session, context.clock.real())
  if (session === undefined || !(await mayReadAnswers({ ...flow, session }))) {
    return redirectToPage(flow)
  }
  const answers = await readAnswers(context, link)
  if (isUnchanged(answers, form)) {
    return redirectToPage(flow, nextSection(answers))
  }
  const { section, typed } = form
  const shown = { ...answers, drafts: { ...answers.drafts, [section]: typed } }
  const formErrors = { validationErrors: [], isChangedMeanwhile: true }
  return sendPage(flow.reply, SECTION_PAGES[name].show({ ...view, onboarding }, shown, formErrors))
}

export const showSummary = whenReadable(mayWrite, async (flow) => await sendSummary(flow, false))

/** Confirms the summary of the revision that was shown. */
export const confirmSummary = whenReadable(mayWrite, async (flow) => {
  const revision = submittedRevision(flow.request.body)
  const { outcome } = await submitOnboarding(flow.context, flow.link, { revision }, flow.session)
  return outcome === 'changed-meanwhile' ? await sendSummary(flow, true) : redirectToPage(flow)
})

async function sendSummary(flow: Flow, isChangedMeanwhile: boolean): Promise<FastifyReply> {
  const answers = await readAnswers(flow.context, flow.onboarding)
  const sections = completeSections(answers)
  return sections === undefined || !hasCurrentTerms(answers)
    ? redirectToPage(flow)
    : sendPage(flow.reply, summaryPage(flow.view, sections, isChangedMeanwhile))
}

/** The revision in the form; -1, which never matches, when it is not a number. */
function submittedRevision(body: unknown): number {
  const text = parseFormFields(body).text('revision')
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

/** Whether the input equals the stored answers. */
function isUnchanged(answers: OnboardingAnswers, { section, typed }: SectionForm): boolean {
  const { drafts, sections } = answers
  return section === 'Terms'
    ? typed.accepted && hasCurrentTerms(answers)
    : JSON.stringify(drafts[section] ?? sections[section]) === JSON.stringify(typed)
}
