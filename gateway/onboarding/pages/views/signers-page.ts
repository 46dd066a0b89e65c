/** Renders the signers form: a choice of the registry's combinations, or names to type. */
import { html } from 'ghtml'
import type { PageTexts } from '../../../page-texts/page-texts.ts'
import { fieldName, formatDate, parseDate, parseFormFields } from '../../../platform/http/pages/form.ts'
import { actionButton, radioField, textField } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { fullName, type RegisteredPerson, ROLE_KINDS } from '../../../registries/registered-person.ts'
import { type SigningCombination, signingCombinations } from '../../../registries/signing-rights.ts'
import { SIGNERS_MAX } from '../../answers/answer-validation.ts'
import { ChosenSigners, type NamedSigner, type OnboardingAnswers } from '../../store/onboarding-answers.ts'
import { type FlowView, type FormErrors, formPage, NO_FORM_ERRORS } from '../flow-view.ts'
import { changedRows, latestInput, parseSectionForm } from './form-values.ts'

const LIST = 'signers'
const BETWEEN_ROLES = ', '
const FIELDS = ['name', 'birthDate'] as const
const CHOICE = 'combination'
const BLANK: NamedSigner = { name: '', birthDate: '', role: null }

type Registered = OnboardingAnswers['registered']

/** Parses the form: the persons of the chosen combination, or the typed ones. */
export function readSignersForm(body: unknown, registered: Registered): ChosenSigners {
  const form = parseSectionForm(body)
  const combinations = combinationsOf(registered)
  if (registered !== null && combinations.length > 0) {
    const chosen = /^\d{1,3}$/.test(form.text(CHOICE)) ? combinations[Number(form.text(CHOICE))] : undefined
    return { signers: (chosen ?? []).map((person) => namedSigner(registered, person)) }
  }
  const rows = form.rows(LIST, FIELDS).map((row) => ({ ...row, birthDate: parseDate(row.birthDate), role: null }))
  return { signers: rows.filter(({ name, birthDate }) => name !== '' || birthDate !== '') }
}

/** The input after the add or remove button was pressed; undefined for other buttons. */
export function changedSigners(body: unknown): ChosenSigners | undefined {
  const typed = readSignersForm(body, null)
  const signers = changedRows(parseFormFields(body), typed.signers, { blank: BLANK, most: SIGNERS_MAX })
  return signers && { signers }
}

/** The latest input or saved answer. */
export function signersShown({ sections, drafts }: OnboardingAnswers): ChosenSigners {
  return latestInput(ChosenSigners, drafts.Signers, sections.Signers) ?? { signers: [] }
}

export function signersPage(view: FlowView, answers: OnboardingAnswers, formErrors: FormErrors = NO_FORM_ERRORS): Page {
  const { text } = view.texts
  const { registered } = answers
  const shown = signersShown(answers)
  const combinations = combinationsOf(registered)
  const isChosen = registered !== null && combinations.length > 0
  // A choice has one field, which shows all errors.
  const validationErrors = isChosen
    ? formErrors.validationErrors.map((validationError) => ({ ...validationError, field: CHOICE }))
    : formErrors.validationErrors
  const fields = isChosen
    ? combinationField(view, { registered, combinations }, shown, validationErrors)
    : typedFields(view, shown, validationErrors)
  return formPage(view, 'signers', {
    ...(isChosen ? {} : { intro: text('onboarding.signers.notRegistered') }),
    formErrors: { ...formErrors, validationErrors },
    fields,
  })
}

/** A role in the page's language; unknown roles are shown unchanged. */
export function roleText({ text }: PageTexts, role: string): string {
  return role
    .split(BETWEEN_ROLES)
    .map((one) => {
      const kind = ROLE_KINDS.find((each) => each === one)
      return kind === undefined ? one : text(`onboarding.signers.roles.${kind}`)
    })
    .join(BETWEEN_ROLES)
}

function combinationField(
  { texts }: FlowView,
  {
    registered,
    combinations,
  }: { readonly registered: NonNullable<Registered>; readonly combinations: readonly SigningCombination[] },
  shown: ChosenSigners,
  validationErrors: FormErrors['validationErrors'],
): string {
  const chosen = combinations.findIndex((combination) => isChosenBy(shown, combination))
  return radioField({
    name: CHOICE,
    label: texts.text('onboarding.signers.question'),
    value: chosen < 0 ? (combinations.length === 1 ? '0' : '') : String(chosen),
    choices: combinations.map((combination, index) => ({
      value: String(index),
      label: combination.map((person) => fullName(person.name)).join(' + '),
      hint: hintOf(texts, registered, combination),
    })),
    validationErrors,
  })
}

function hintOf(texts: PageTexts, registered: NonNullable<Registered>, combination: SigningCombination): string {
  const label =
    combination.length === 1 ? texts.text('onboarding.signers.alone') : texts.text('onboarding.signers.together')
  const roles = combination.flatMap((person) => namedSigner(registered, person).role ?? [])
  return roles.length === 0 ? label : `${label}: ${roles.map((role) => roleText(texts, role)).join(' + ')}`
}

function typedFields(
  { texts: { language, text } }: FlowView,
  shown: ChosenSigners,
  validationErrors: FormErrors['validationErrors'],
): string {
  const signers = shown.signers.length === 0 ? [BLANK] : shown.signers
  const rows = signers.map(
    ({ name, birthDate }, index) => html`<fieldset class="row">
<legend>${text('onboarding.signers.signer', { position: index + 1 })}</legend>
!${textField({ name: fieldName(LIST, index, 'name'), label: text('onboarding.owners.name'), value: name, validationErrors })}
!${textField({ name: fieldName(LIST, index, 'birthDate'), label: text('onboarding.owners.birthDate'), hint: text('onboarding.owners.birthDateHint'), value: formatDate(birthDate, language), inputMode: 'numeric', isShort: true, validationErrors })}
!${actionButton(`remove.${index}`, text('onboarding.owners.remove', { position: index + 1 }), 'plain')}
</fieldset>`,
  )
  const add = signers.length < SIGNERS_MAX ? html`<p>!${actionButton('add', text('onboarding.signers.add'))}</p>` : ''
  return `${rows.join('')}${add}`
}

function combinationsOf(registered: Registered): readonly SigningCombination[] {
  return registered === null ? [] : signingCombinations(registered.signingRights, registered.roles)
}

function namedSigner({ roles }: NonNullable<Registered>, person: RegisteredPerson): NamedSigner {
  const own = roles.filter(
    (one) => fullName(one.person.name) === fullName(person.name) && one.person.birthDate === person.birthDate,
  )
  const role = [...new Set(own.map((one) => one.role))].join(BETWEEN_ROLES)
  return { name: fullName(person.name), birthDate: person.birthDate, role: role === '' ? null : role }
}

function isChosenBy({ signers }: ChosenSigners, combination: SigningCombination): boolean {
  const isSigner = (person: RegisteredPerson) =>
    signers.some(({ name, birthDate }) => name === fullName(person.name) && birthDate === person.birthDate)
  return signers.length === combination.length && combination.every(isSigner)
}
