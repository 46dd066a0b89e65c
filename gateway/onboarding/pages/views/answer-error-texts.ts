/** Formats the validation errors of a section per field, e.g. “Person 2, Full name: Fill this in”. */
import type { PageTexts, TextKey } from '../../../page-texts/page-texts.ts'
import type { FieldError } from '../../../platform/http/pages/form-markup.ts'
import type { AnswerError, AnswerErrorCode } from '../../answers/answer-validation.ts'

/** Errors of a whole list are shown at its first field. */
const FIRST_OF_LIST: Readonly<Record<string, string>> = {
  owners: 'owners.0.ownershipPercent',
  signers: 'signers.0.name',
}
/** Fields that are a choice: a missing answer has its own text. */
const CHOSEN = ['isPoliticallyExposed', 'nobodyOwnsMoreThanAQuarter']
const COUNTRIES = ['country', 'nationality']
const PERSON_LABELS: Readonly<Record<string, TextKey>> = {
  name: 'onboarding.owners.name',
  birthDate: 'onboarding.owners.birthDate',
  nationality: 'onboarding.owners.nationality',
  country: 'onboarding.owners.livesIn',
  ownershipPercent: 'onboarding.owners.percent',
  isPoliticallyExposed: 'onboarding.owners.exposed',
}
const FIELD_LABELS: Readonly<Record<string, TextKey>> = {
  name: 'onboarding.company.name',
  'address.streetName': 'onboarding.company.street',
  'address.postCode': 'onboarding.company.postCode',
  'address.city': 'onboarding.company.city',
  'address.country': 'onboarding.company.country',
  email: 'onboarding.company.email',
  phone: 'onboarding.company.phone',
  nobodyOwnsMoreThanAQuarter: 'onboarding.owners.question',
  owners: 'onboarding.owners.percent',
  signers: 'onboarding.signers.question',
  accepted: 'onboarding.terms.title',
}

/** All errors with their fields, in the order of the fields. */
export function answerErrorTexts(texts: PageTexts, validationErrors: readonly AnswerError[]): readonly FieldError[] {
  return validationErrors.map(({ path, fault }) => ({
    field: FIRST_OF_LIST[path] ?? path,
    label: labelOf(texts, path),
    message: messageOf(texts, path, fault),
  }))
}

function messageOf({ text }: PageTexts, path: string, fault: AnswerErrorCode): string {
  const name = path.split('.').at(-1) ?? ''
  if (path === 'accepted') {
    return text('onboarding.terms.mustAccept')
  }
  const isUnanswered = fault === 'missing' && CHOSEN.includes(name)
  const isUnselected = fault === 'missing' && COUNTRIES.includes(name)
  return text(`onboarding.fieldErrors.${isUnanswered ? 'not-a-choice' : isUnselected ? 'not-a-country' : fault}`)
}

/** The label of a field, prefixed by the person it belongs to. */
function labelOf({ text }: PageTexts, path: string): string {
  const [list, row, field = ''] = path.split('.')
  const label = PERSON_LABELS[field]
  const position = Number(row) + 1
  if (list === 'owners' && label !== undefined) {
    return `${text('onboarding.owners.owner', { position })}, ${text(label)}`
  }
  if (list === 'signers' && label !== undefined) {
    return `${text('onboarding.signers.signer', { position })}, ${text(label)}`
  }
  const own = FIELD_LABELS[path]
  return own === undefined ? '' : text(own)
}
