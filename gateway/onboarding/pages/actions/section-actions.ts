/** Handles the forms of the sections and the summary: shows them and saves their input. */

import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
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
import { companyPage, companyShown, readCompanyForm } from '../views/company-page.ts'
import { changedOwners, ownersPage, ownersShown, readOwnersForm } from '../views/owners-page.ts'
import { readTermsForm, termsPage } from '../views/signer-pages.ts'
import { changedSigners, readSignersForm, signersPage, signersShown } from '../views/signers-page.ts'
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

export const SECTION_PAGES: Readonly<Record<SectionPageName, SectionPage>> = {
  company: {
    read: (body, { registered }) => {
      const typed = readCompanyForm(body)
      const name = registered?.name ?? typed.name
      return { typed: { section: 'CompanyDetails', typed: { ...typed, name } }, isOnlyRows: false }
    },
    show: (view, answers, formErrors) => companyPage(view, answers, companyShown(answers), formErrors),
  },
  owners: {
    read: (body) => {
      const changed = changedOwners(body)
      const typed = changed ?? readOwnersForm(body)
      return { typed: { section: 'BeneficialOwners', typed }, isOnlyRows: changed !== undefined }
    },
    show: (view, answers, formErrors) => ownersPage(view, ownersShown(answers), formErrors),
  },
  signers: {
    read: (body, { registered }) => {
      const changed = changedSigners(body)
      const typed = changed ?? readSignersForm(body, registered)
      return { typed: { section: 'Signers', typed }, isOnlyRows: changed !== undefined }
    },
    show: (view, answers, formErrors) => signersPage(view, answers, signersShown(answers), formErrors),
  },
  terms: {
    read: (body) => ({ typed: { section: 'Terms', typed: readTermsForm(body) }, isOnlyRows: false }),
    show: (view, answers, formErrors) => termsPage(view, answers, formErrors),
  },
}

export function showSection(context: Context, name: SectionPageName): FlowHandler {
  return whenReadable(context, mayWrite, async (flow, _request, reply) => {
    const answers = await readAnswers(context, flow.onboarding)
    return sendPage(reply, SECTION_PAGES[name].show(flow.view, answers))
  })
}

/** Saves a section. Invalid input is shown again on the next page: nothing typed is lost. */
export function saveSubmittedSection(context: Context, name: SectionPageName): FlowHandler {
  return whenReadable(context, mayWrite, async (flow, request, reply) => {
    const before = await readAnswers(context, flow.onboarding)
    const { typed, isOnlyRows } = SECTION_PAGES[name].read(request.body, before)
    const input: SectionInput = { ...typed, revision: submittedRevision(request.body) }
    const saved = await saveSection(context, flow.link, input, flow.session)
    if (saved.outcome === 'closed') {
      return redirectToPage(reply, flow)
    }
    if (saved.outcome === 'changed-meanwhile') {
      return await sendRevisionConflict(context, flow, reply, name, typed)
    }
    const answers = await readAnswers(context, flow.link)
    const language = pageLanguage(parseFormFields(request.body).text(LANGUAGE_PARAMETER))
    if (language !== undefined) {
      return redirectToPage(reply, flow, `${name}?${LANGUAGE_PARAMETER}=${language}`)
    }
    if (isOnlyRows) {
      return redirectToPage(reply, flow, name)
    }
    if (saved.outcome === 'saved') {
      return redirectToPage(reply, flow, nextSection(answers))
    }
    const view = { ...flow.view, onboarding: saved.onboarding }
    const validationErrors = answerErrorTexts(view.texts, saved.validationErrors)
    return sendPage(reply, SECTION_PAGES[name].show(view, answers, { validationErrors }))
  })
}

/** Shows the input with the current revision; identical input (a double click) is no conflict. */
async function sendRevisionConflict(
  context: Context,
  requester: Flow,
  reply: FastifyReply,
  name: SectionPageName,
  form: SectionForm,
): Promise<FastifyReply> {
  const { link, view, ...flow } = requester
  if (!(await mayReadAnswersNow(context, requester))) {
    return redirectToPage(reply, { view })
  }
  const answers = await readAnswers(context, link)
  if (isUnchanged(answers, form)) {
    return redirectToPage(reply, { view }, nextSection(answers))
  }
  const { section, typed } = form
  const shown = { ...answers, drafts: { ...answers.drafts, [section]: typed } }
  const now = { ...view, onboarding: flow.onboarding }
  return sendPage(reply, SECTION_PAGES[name].show(now, shown, { validationErrors: [], isChangedMeanwhile: true }))
}

/** Reads the session again: another tab may have made it trusted meanwhile. */
async function mayReadAnswersNow(context: Context, flow: Flow): Promise<boolean> {
  const session = await findSession(context.database, flow.session, context.clock.real())
  return session !== undefined && (await mayReadAnswers(context, { ...flow, session }))
}

export function showSummary(context: Context): FlowHandler {
  return whenReadable(
    context,
    mayWrite,
    async (flow, _request, reply) => await sendSummary(context, flow, reply, false),
  )
}

/** Confirms the summary of the revision that was shown. */
export function confirmSummary(context: Context): FlowHandler {
  return whenReadable(context, mayWrite, async (flow, request, reply) => {
    const { outcome } = await submitOnboarding(context, flow.link, { revision: submittedRevision(request.body) })
    return outcome === 'changed-meanwhile' ? await sendSummary(context, flow, reply, true) : redirectToPage(reply, flow)
  })
}

async function sendSummary(
  context: Context,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  isChangedMeanwhile: boolean,
): Promise<FastifyReply> {
  const answers = await readAnswers(context, onboarding)
  const sections = completeSections(answers)
  return sections === undefined || !hasCurrentTerms(answers)
    ? redirectToPage(reply, { view })
    : sendPage(reply, summaryPage(view, sections, isChangedMeanwhile))
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
