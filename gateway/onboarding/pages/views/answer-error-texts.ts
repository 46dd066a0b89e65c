/** Formats the validation errors of a section per field, e.g. “Person 2, Full name: Fill this in”. */
import type { FieldError } from '../../../platform/http/pages/form-markup.ts'
import type { AnswerError, AnswerErrorCode } from '../../answers/answer-validation.ts'
import type { OnboardingTexts } from '../texts/texts.ts'

/** Errors of a whole list are shown at its first field. */
const FIRST_OF_LIST: Readonly<Record<string, string>> = {
  owners: 'owners.0.ownershipPercent',
  signers: 'signers.0.name',
}
/** Fields that are a choice: a missing answer has its own text. */
const CHOSEN = ['isPoliticallyExposed', 'nobodyOwnsMoreThanAQuarter']
const COUNTRIES = ['country', 'nationality']

/** All errors with their fields, in the order of the fields. */
export function answerErrorTexts(texts: OnboardingTexts, problems: readonly AnswerError[]): readonly FieldError[] {
  return problems.map(({ path, fault }) => ({
    field: FIRST_OF_LIST[path] ?? path,
    label: labelOf(texts, path),
    message: messageOf(texts, path, fault),
  }))
}

function messageOf({ faults, terms }: OnboardingTexts, path: string, fault: AnswerErrorCode): string {
  const name = path.split('.').at(-1) ?? ''
  if (path === 'accepted') {
    return terms.mustAccept
  }
  if (fault === 'missing') {
    return faults[CHOSEN.includes(name) ? 'not-a-choice' : COUNTRIES.includes(name) ? 'not-a-country' : fault]
  }
  return faults[fault]
}

/** The label of a field, prefixed by the person it belongs to. */
function labelOf(texts: OnboardingTexts, path: string): string {
  const [list, position, field] = path.split('.')
  const row = Number(position) + 1
  if (list === 'owners' && field !== undefined) {
    return `${texts.owners.owner(row)}, ${ownerLabels(texts)[field] ?? field}`
  }
  if (list === 'signers' && field !== undefined) {
    return `${texts.signers.signer(row)}, ${ownerLabels(texts)[field] ?? field}`
  }
  return fieldLabels(texts)[path] ?? ''
}

function ownerLabels({ owners }: OnboardingTexts): Readonly<Record<string, string>> {
  return {
    name: owners.name,
    birthDate: owners.birthDate,
    nationality: owners.nationality,
    country: owners.livesIn,
    ownershipPercent: owners.percent,
    isPoliticallyExposed: owners.exposed,
  }
}

function fieldLabels({ company, owners, signers, terms }: OnboardingTexts): Readonly<Record<string, string>> {
  return {
    name: company.name,
    'address.streetName': company.street,
    'address.postCode': company.postCode,
    'address.city': company.city,
    'address.country': company.country,
    email: company.email,
    phone: company.phone,
    nobodyOwnsMoreThanAQuarter: owners.question,
    owners: owners.percent,
    signers: signers.question,
    accepted: terms.title,
  }
}
