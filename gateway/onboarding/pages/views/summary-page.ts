/** Renders the summary of all answers that will be signed. */
import { html } from 'ghtml'
import { formatDate } from '../../../platform/http/pages/form.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import type { BeneficialOwner, SectionAnswers } from '../../answers/onboarding-answers.ts'
import { detailLine, type FlowView, type FormPageName, formPage } from '../flow-view.ts'
import { countryName } from './country-choices.ts'
import { roleText } from './signers-page.ts'

/** The summary page with the confirmation button. */
export function summaryPage(view: FlowView, answers: SectionAnswers, isChangedMeanwhile = false): Page {
  const { summary } = view.texts
  return formPage(view, 'summary', {
    title: summary.title,
    intro: summary.intro,
    formErrors: { problems: [], isChangedMeanwhile },
    summary: '',
    fields: html`
!${everything(view, answers, true)}
<div class="actions"><button type="submit">${summary.confirm}</button></div>
<p class="quiet">${summary.afterwards}</p>`,
  })
}

/** All answers by section, with links to change them while that is possible. */
export function everything(view: FlowView, answers: SectionAnswers, mayChange: boolean): string {
  const { texts } = view
  const part = (page: FormPageName, title: string, lines: string) => {
    const change = html`<p><a href="${view.path}/${page}" aria-label="${texts.summary.change}: ${title}">${texts.summary.change}</a></p>`
    return html`<h2>${title}</h2>
<dl>!${lines}</dl>
!${mayChange ? change : ''}`
  }
  return [
    part('company', texts.company.title, companyLines(view, answers)),
    part('owners', texts.owners.title, ownerLines(view, answers)),
    part('signers', texts.signers.title, signerLines(view, answers)),
    part('terms', texts.terms.title, termsLines(view, answers)),
  ].join('')
}

function companyLines({ onboarding, texts }: FlowView, { CompanyDetails: details }: SectionAnswers): string {
  const { streetName, postCode, city, country } = details.address
  const place = `${postCode} ${city}`.trim()
  const address = [streetName, place, countryName(texts.language, country)].filter((line) => line !== '').join(', ')
  return [
    detailLine(texts.company.name, details.name || (onboarding.organisationName ?? '')),
    detailLine(texts.start.number, `${onboarding.countryCode} ${onboarding.organisationNumber}`),
    detailLine(texts.summary.address, address),
    detailLine(texts.company.email, details.email),
    detailLine(texts.company.phone, details.phone),
  ].join('')
}

function ownerLines({ texts }: FlowView, { BeneficialOwners: { owners } }: SectionAnswers): string {
  return owners.length === 0
    ? detailLine(texts.owners.question, texts.owners.nobody)
    : owners.map((owner, index) => detailLine(texts.owners.owner(index + 1), ownerText(texts, owner))).join('')
}

function ownerText({ language, signatures, summary }: FlowView['texts'], owner: BeneficialOwner): string {
  const { birthDate, country, isPoliticallyExposed, name, nationality, ownershipPercent } = owner
  const parts = [
    name,
    signatures.bornOn(formatDate(birthDate)),
    [...new Set([nationality, country])].map((code) => countryName(language, code)).join(' / '),
    summary.percentOf(String(ownershipPercent)),
    ...(isPoliticallyExposed ? [summary.isExposed] : []),
  ]
  return parts.join(', ')
}

function signerLines({ texts }: FlowView, { Signers: { signers } }: SectionAnswers): string {
  return signers
    .map(({ birthDate, name, role }, index) => {
      const born = texts.signatures.bornOn(formatDate(birthDate))
      const who = [name, born, ...(role === null ? [] : [roleText(texts, role)])]
      return detailLine(texts.signers.signer(index + 1), who.join(', '))
    })
    .join('')
}

function termsLines({ texts }: FlowView, { Terms }: SectionAnswers): string {
  return detailLine(texts.terms.version(Terms.version), texts.summary.accepted)
}
