/** Renders the summary of all answers that will be signed. */
import { html } from 'ghtml'
import type { PageTexts } from '../../../page-texts/page-texts.ts'
import { formatDate } from '../../../platform/http/pages/form.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import type { BeneficialOwner, SectionAnswers } from '../../store/onboarding-answers.ts'
import { detailLine, type FlowView, type FormPageName, formPage, numberLine } from '../flow-view.ts'
import { countryName } from './form-values.ts'
import { percentText } from './owners-page.ts'
import { roleText } from './signers-page.ts'

/** The summary page with the confirmation button. */
export function summaryPage(view: FlowView, answers: SectionAnswers, isChangedMeanwhile = false): Page {
  const { text } = view.texts
  return formPage(view, 'summary', {
    formErrors: { validationErrors: [], isChangedMeanwhile },
    fields: everything(view, answers, true),
    footnote: text('onboarding.summary.afterwards'),
  })
}

/** All answers by section, with links to change them while that is possible. */
export function everything(view: FlowView, answers: SectionAnswers, mayChange: boolean): string {
  const { text } = view.texts
  const part = (page: FormPageName, title: string, lines: string) => {
    const change = html`<p><a href="${view.path}/${page}" aria-label="${text('onboarding.summary.change')}: ${title}">${text('onboarding.summary.change')}</a></p>`
    return html`<h2>${title}</h2>
<dl>!${lines}</dl>
!${mayChange ? change : ''}`
  }
  return [
    part('company', text('onboarding.company.title'), companyLines(view, answers)),
    part('owners', text('onboarding.owners.title'), ownerLines(view, answers)),
    part('signers', text('onboarding.signers.title'), signerLines(view, answers)),
    part('terms', text('onboarding.terms.title'), termsLines(view, answers)),
  ].join('')
}

function companyLines(view: FlowView, { CompanyDetails: details }: SectionAnswers): string {
  const { onboarding, texts } = view
  const { text } = texts
  const { streetName, postCode, city, country } = details.address
  const place = `${postCode} ${city}`.trim()
  const address = [streetName, place, countryName(texts.language, country)].filter((line) => line !== '').join(', ')
  return [
    detailLine(text('onboarding.company.name'), details.name || (onboarding.organisationName ?? '')),
    numberLine(view),
    detailLine(text('onboarding.summary.address'), address),
    detailLine(text('onboarding.company.email'), details.email),
    detailLine(text('onboarding.company.phone'), details.phone),
  ].join('')
}

function ownerLines({ texts }: FlowView, { BeneficialOwners: { owners } }: SectionAnswers): string {
  const { text } = texts
  return owners.length === 0
    ? detailLine(text('onboarding.owners.question'), text('onboarding.owners.hasNone'))
    : owners
        .map((owner, index) =>
          detailLine(text('onboarding.owners.owner', { position: index + 1 }), ownerText(texts, owner)),
        )
        .join('')
}

function ownerText({ language, text }: PageTexts, owner: BeneficialOwner): string {
  const { birthDate, country, isPoliticallyExposed, name, nationality, ownershipPercent } = owner
  const percent = percentText({ text }, ownershipPercent)
  const parts = [
    name,
    text('onboarding.signatures.bornOn', { date: formatDate(birthDate, language) }),
    [...new Set([nationality, country])].map((code) => countryName(language, code)).join(' / '),
    text('onboarding.summary.percent', { percent }),
    ...(isPoliticallyExposed ? [text('onboarding.summary.isExposed')] : []),
  ]
  return parts.join(', ')
}

function signerLines({ texts }: FlowView, { Signers: { signers } }: SectionAnswers): string {
  const { text } = texts
  return signers
    .map(({ birthDate, name, role }, index) => {
      const born = text('onboarding.signatures.bornOn', { date: formatDate(birthDate, texts.language) })
      const who = [name, born, ...(role === null ? [] : [roleText(texts, role)])]
      return detailLine(text('onboarding.signers.signer', { position: index + 1 }), who.join(', '))
    })
    .join('')
}

/** The version stays on one line: half of it is another one. */
function termsLines({ texts: { text } }: FlowView, { Terms }: SectionAnswers): string {
  const version = Terms.version.replaceAll('-', '\u2011')
  return detailLine(text('onboarding.terms.version', { version }), text('onboarding.summary.accepted'))
}
