/** The page that shows everything that will be signed, and what is still missing. */
import { html } from 'ghtml'
import { printDate } from '../../../platform/http/pages/form.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import type { BeneficialOwner, SectionAnswers } from '../../answers/onboarding-answers.ts'
import { type FlowView, knownLine, type WrittenPage, writtenPage } from '../flow-view.ts'
import { countryName } from './country-choices.ts'
import { roleText } from './signers-page.ts'

/** Before it is signed. */
export function summaryPage(view: FlowView, answers: SectionAnswers, isChangedMeanwhile = false): Page {
  const { summary } = view.texts
  return writtenPage(view, 'summary', {
    title: summary.title,
    intro: summary.intro,
    remarks: { problems: [], isChangedMeanwhile },
    summary: '',
    fields: html`
!${everything(view, answers, true)}
<div class="actions"><button type="submit">${summary.confirm}</button></div>
<p class="quiet">${summary.afterwards}</p>`,
  })
}

/** All that was written, section by section; with ways to change it where that is still possible. */
export function everything(view: FlowView, answers: SectionAnswers, mayChange: boolean): string {
  const { texts } = view
  const part = (page: WrittenPage, title: string, lines: string) => {
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
    knownLine(texts.company.name, details.name || (onboarding.organisationName ?? '')),
    knownLine(texts.start.number, `${onboarding.countryCode} ${onboarding.organisationNumber}`),
    knownLine(texts.summary.address, address),
    knownLine(texts.company.email, details.email),
    knownLine(texts.company.phone, details.phone),
  ].join('')
}

function ownerLines({ texts }: FlowView, { BeneficialOwners: { owners } }: SectionAnswers): string {
  return owners.length === 0
    ? knownLine(texts.owners.question, texts.owners.nobody)
    : owners.map((owner, index) => knownLine(texts.owners.owner(index + 1), ownerText(texts, owner))).join('')
}

function ownerText({ language, signatures, summary }: FlowView['texts'], owner: BeneficialOwner): string {
  const { birthDate, country, isPoliticallyExposed, name, nationality, ownershipPercent } = owner
  const parts = [
    name,
    signatures.bornOn(printDate(birthDate)),
    [...new Set([nationality, country])].map((code) => countryName(language, code)).join(' / '),
    summary.percentOf(String(ownershipPercent)),
    ...(isPoliticallyExposed ? [summary.isExposed] : []),
  ]
  return parts.join(', ')
}

function signerLines({ texts }: FlowView, { Signers: { signers } }: SectionAnswers): string {
  return signers
    .map(({ birthDate, name, role }, index) => {
      const born = texts.signatures.bornOn(printDate(birthDate))
      const who = [name, born, ...(role === null ? [] : [roleText(texts, role)])]
      return knownLine(texts.signers.signer(index + 1), who.join(', '))
    })
    .join('')
}

function termsLines({ texts }: FlowView, { Terms }: SectionAnswers): string {
  return knownLine(texts.terms.version(Terms.version), texts.summary.accepted)
}
