/** Renders the beneficial owners form; the buttons that add and remove persons submit all fields. */
import { html } from 'ghtml'
import type { PageTexts } from '../../../page-texts/page-texts.ts'
import { withPlainSeparators } from '../../../platform/copied-text.ts'
import { fieldName, formatDate, parseDate, parseFormFields } from '../../../platform/http/pages/form.ts'
import { actionButton, radioField, selectField, textField } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { fullName } from '../../../registries/registered-person.ts'
import { OWNERS_MAX, type OwnerInput, OwnersInput } from '../../answers/answer-validation.ts'
import type { OnboardingAnswers } from '../../store/onboarding-answers.ts'
import { type FlowView, type FormErrors, formPage, NO_FORM_ERRORS } from '../flow-view.ts'
import { answerOf, changedRows, choiceOf, countryChoices, latestInput, parseSectionForm } from './form-values.ts'

const LIST = 'owners'
const FIELDS = ['name', 'birthDate', 'nationality', 'country', 'ownershipPercent', 'isPoliticallyExposed'] as const
const NOBODY = 'nobodyOwnsMoreThanAQuarter'
const BLANK: OwnerInput = {
  name: '',
  birthDate: '',
  nationality: '',
  country: '',
  ownershipPercent: '',
  isPoliticallyExposed: null,
}

/** Parses the form; empty rows are ignored. */
export function readOwnersForm(body: unknown): OwnersInput {
  const form = parseSectionForm(body)
  const owners = form.rows(LIST, FIELDS).map((row) => ({
    ...row,
    birthDate: parseDate(row.birthDate),
    ownershipPercent: percentOf(row.ownershipPercent),
    isPoliticallyExposed: answerOf(row.isPoliticallyExposed),
  }))
  return {
    [NOBODY]: answerOf(form.text(NOBODY)),
    owners: owners.filter((owner) => !FIELDS.every((field) => owner[field] === BLANK[field])),
  }
}

/** The input after the add or remove button was pressed; undefined for other buttons. */
export function changedOwners(body: unknown): OwnersInput | undefined {
  const form = parseFormFields(body)
  const typed = readOwnersForm(body)
  const owners = changedRows(form, typed.owners, { blank: BLANK, most: OWNERS_MAX })
  return owners && { [NOBODY]: form.pressed.action === 'add' ? false : typed[NOBODY], owners }
}

/** The field values: the latest input, or the owners in the registry. */
export function ownersShown({ registered, sections, drafts }: OnboardingAnswers): OwnersInput {
  const typed = latestInput(OwnersInput, drafts.BeneficialOwners, sections.BeneficialOwners)
  if (typed !== undefined) {
    return typed
  }
  const known = registered?.beneficialOwners ?? []
  const owners = known.map(({ person, nationality, country, ownershipPercent }) => ({
    ...BLANK,
    name: fullName(person.name),
    birthDate: person.birthDate,
    nationality,
    country,
    ownershipPercent: ownershipPercent ?? '',
  }))
  return { [NOBODY]: owners.length > 0 ? false : null, owners }
}

export function ownersPage(view: FlowView, answers: OnboardingAnswers, formErrors: FormErrors = NO_FORM_ERRORS): Page {
  const { text } = view.texts
  const { validationErrors } = formErrors
  const shown = ownersShown(answers)
  // At least one row is always shown.
  const owners = shown.owners.length === 0 ? [BLANK] : shown.owners
  const rows = owners.map((owner, index) => ownerFields(view, formErrors, owner, index))
  return formPage(view, 'owners', {
    formErrors,
    fields: html`
!${radioField({
      name: NOBODY,
      label: text('onboarding.owners.question'),
      value: choiceOf(shown[NOBODY]),
      choices: [
        { value: 'no', label: text('onboarding.owners.hasOwners') },
        { value: 'yes', label: text('onboarding.owners.hasNone'), hint: text('onboarding.owners.hasNoneHint') },
      ],
      validationErrors,
    })}
<div class="owners">
!${rows.join('')}
!${owners.length < OWNERS_MAX ? html`<p>!${actionButton('add', text('onboarding.owners.add'))}</p>` : ''}
</div>`,
  })
}

function ownerFields({ texts }: FlowView, { validationErrors }: FormErrors, owner: OwnerInput, index: number): string {
  const { text } = texts
  const name = (field: (typeof FIELDS)[number]) => fieldName(LIST, index, field)
  const countries = [{ value: '', label: text('onboarding.owners.choose') }, ...countryChoices(texts.language)]
  return html`<fieldset class="row">
<legend>${text('onboarding.owners.owner', { position: index + 1 })}</legend>
!${textField({ name: name('name'), label: text('onboarding.owners.name'), value: owner.name, validationErrors })}
!${textField({ name: name('birthDate'), label: text('onboarding.owners.birthDate'), hint: text('onboarding.owners.birthDateHint'), value: formatDate(owner.birthDate, texts.language), inputMode: 'numeric', isShort: true, validationErrors })}
<div class="pair">
!${selectField({ name: name('nationality'), label: text('onboarding.owners.nationality'), value: owner.nationality, choices: countries, validationErrors })}
!${selectField({ name: name('country'), label: text('onboarding.owners.livesIn'), value: owner.country, choices: countries, validationErrors })}
</div>
!${textField({ name: name('ownershipPercent'), label: text('onboarding.owners.percent'), hint: text('onboarding.owners.percentHint'), value: percentText(texts, owner.ownershipPercent), inputMode: 'decimal', isShort: true, validationErrors })}
!${radioField({
    name: name('isPoliticallyExposed'),
    label: text('onboarding.owners.exposed'),
    hint: text('onboarding.owners.exposedHint'),
    value: choiceOf(owner.isPoliticallyExposed),
    choices: [
      { value: 'no', label: text('onboarding.form.no') },
      { value: 'yes', label: text('onboarding.form.yes') },
    ],
    validationErrors,
  })}
!${actionButton(`remove.${index}`, text('onboarding.owners.remove', { position: index + 1 }), 'plain')}
</fieldset>`
}

/** Parses `33,5` and `33.5 %`; other input is returned unchanged. */
function percentOf(text: string): number | string {
  const [, number] = /^(\d{1,3}(?:[.,]\d{1,4})?) ?%?$/.exec(withPlainSeparators(text)) ?? []
  return number === undefined ? text : Number(number.replace(',', '.'))
}

/** A share with the decimal sign of the page's language; other input is shown unchanged. */
export function percentText({ text }: Pick<PageTexts, 'text'>, percent: number | string): string {
  return String(percent).replace(/^(\d+)\.(\d+)$/, `$1${text('numbers.decimal')}$2`)
}
