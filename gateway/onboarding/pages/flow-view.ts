/** What every page of the hosted flow is written from, and the frame that they share. */
import { html } from 'ghtml'
import type { FieldProblem } from '../../platform/http/pages/form-markup.ts'
import type { Page } from '../../platform/http/pages/page.ts'
import type { Onboarding } from '../onboarding.ts'
import type { OnboardingTexts, Parties } from './texts/texts.ts'

/** A page for a browser that has a session. */
export type FlowView = {
  readonly onboarding: Onboarding
  readonly texts: OnboardingTexts
  readonly parties: Parties
  /** Where all pages of this session are. */
  readonly path: string
  /** The hidden field that binds a form to the session. */
  readonly tokenField: string
  /** Origins that forms lead to in the end: our own pages of signing, and the partner's. */
  readonly formOrigins: readonly string[]
}

/** What a page of a section shows besides: what is wrong with it, and whether somebody saved meanwhile. */
export type Remarks = { readonly problems: readonly FieldProblem[]; readonly isChangedMeanwhile?: boolean }

export const NO_REMARKS: Remarks = { problems: [] }

/** Status of a page that shows what is wrong with what was sent (RFC 9110, 15.5.21), and of one that came too late. */
const INVALID = 422
const CONFLICT = 409

/** The pages that people write on, in their order, by the last part of their addresses. */
export const WRITTEN = ['company', 'owners', 'signers', 'terms', 'summary'] as const
export type WrittenPage = (typeof WRITTEN)[number]

type OfFlow = {
  readonly title: string
  readonly body: string
  readonly status?: number
  readonly refreshSeconds?: number
}

/** A page in the view's language. */
export function flowPage({ formOrigins, texts }: Pick<FlowView, 'formOrigins' | 'texts'>, parts: OfFlow): Page {
  return { status: 200, language: texts.language, formOrigins, ...parts }
}

/** A form of the session. */
export function formTo({ path, tokenField }: FlowView, action: string, fields: string): string {
  return html`<form method="post" action="${path}/${action}" novalidate>
!${tokenField}
!${fields}
</form>`
}

/** What stands above the fields of a page: how far it is, what is wrong, what it is about. */
export function writtenPage(view: FlowView, page: WrittenPage, opened: Opened): Page {
  const { texts } = view
  const { problems, isChangedMeanwhile = false } = opened.remarks
  const index = WRITTEN.indexOf(page)
  const before = WRITTEN[index - 1]
  return flowPage(view, {
    status: isChangedMeanwhile ? CONFLICT : problems.length > 0 ? INVALID : 200,
    title: opened.title,
    body: html`
!${opened.summary}
!${isChangedMeanwhile ? html`<div class="notice" role="alert"><p>${texts.changedMeanwhile}</p></div>` : ''}
<p class="step">${texts.step(index + 1, WRITTEN.length)}</p>
<p>${opened.intro}</p>
!${formTo(view, page, html`<input type="hidden" name="revision" value="${String(view.onboarding.revision)}">!${opened.fields}`)}
!${waysOut(view, before)}`,
  })
}

type Opened = {
  readonly title: string
  readonly intro: string
  readonly fields: string
  /** The list of problems, made by whoever knows the fields. */
  readonly summary: string
  readonly remarks: Remarks
}

/** Back, later, or not at all. */
export function waysOut({ path, texts }: FlowView, before?: string): string {
  const back = before === undefined ? '' : html`<a href="${path}/${before}">${texts.back}</a>`
  return html`<p class="away">!${back}<a href="${path}/later">${texts.later}</a><a href="${path}/stop">${texts.stop}</a></p>`
}

/** A line of a list of what is known. */
export function knownLine(label: string, value: string): string {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`
}
