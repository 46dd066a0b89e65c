/** Validates the answers of an onboarding, one function per section; each returns all errors at once. */

import { type Static, Type } from 'typebox'
import { isCountryCode } from '../../countries/bic.ts'
import { parseDay } from '../../platform/clock.ts'
import { UNPRINTABLE } from '../../platform/copied-text.ts'
import { isSamePerson } from '../../registries/registered-person.ts'
import { maySign, signingCombinations } from '../../registries/signing-rights.ts'
import {
  type BeneficialOwners,
  type ChosenSigners,
  type CompanyDetails,
  type NamedSigner,
  type OnboardingAnswers,
  toRegisteredPerson,
} from '../store/onboarding-answers.ts'

/** Validation error codes; the pages hold their texts. */
export type AnswerErrorCode =
  | 'missing'
  | 'too-long'
  | 'unprintable'
  | 'not-an-email'
  | 'not-a-phone'
  | 'not-a-date'
  | 'not-a-birth-date'
  | 'not-a-country'
  | 'not-a-share'
  | 'over-a-hundred'
  | 'not-a-choice'
  | 'too-many'
  | 'none'
  | 'twice'
  | 'contradicts'

/** An error and the path of its field: `address.city`, `owners.1.birthDate`. */
export type AnswerError = { readonly path: string; readonly fault: AnswerErrorCode }

const MaybeAnswer = Type.Union([Type.Boolean(), Type.Null()])

/** The owners as typed: a question may be unanswered, a share may not be a number. */
export const OwnersInput = Type.Object({
  nobodyOwnsMoreThanAQuarter: MaybeAnswer,
  owners: Type.Array(
    Type.Object({
      name: Type.String(),
      birthDate: Type.String(),
      nationality: Type.String(),
      country: Type.String(),
      ownershipPercent: Type.Union([Type.Number(), Type.String()]),
      isPoliticallyExposed: MaybeAnswer,
    }),
  ),
})
export type OwnersInput = Static<typeof OwnersInput>
export type OwnerInput = OwnersInput['owners'][number]

export type SectionValidation<Section> =
  | { readonly isValid: true; readonly section: Section }
  | { readonly isValid: false; readonly errors: readonly AnswerError[] }

const TEXT_CHARACTERS_MAX = 140
const NAME_CHARACTERS_MAX = 200
/** RFC 5321, 4.5.3.1.3 without the angle brackets. */
const EMAIL_CHARACTERS_MAX = 254
/** Common addresses, not everything that RFC 5322 allows. */
const EMAIL = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@.<>"(),:;[\]\\]{2,}$/
const PHONE = /^\+?[\d ]+$/
const PHONE_DIGITS = [5, 15] as const
/** At most three can own more than a quarter each, but a fourth may control the company by votes. */
export const OWNERS_MAX = 4
/** Enough for a whole board. */
export const SIGNERS_MAX = 12
const OWNERSHIP_PERCENT = { above: 25, most: 100 }
/** As many as a share may be typed with: the sum of some shares that are 100 together is a little more in floating point. */
const SHARE_DECIMALS = 4
const AGE_YEARS_MAX = 120
/** Minors cannot sign for a company. */
const SIGNER_YEARS_LEAST = 18

/** Validates the contact details; the name is taken from the registry where there is one. */
export function validateCompanyDetails(
  typed: CompanyDetails,
  { registered }: Pick<OnboardingAnswers, 'registered'>,
): SectionValidation<CompanyDetails> {
  const section = { ...typed, name: registered?.name ?? typed.name }
  const { address, email, phone } = section
  return validation(section, [
    ...(registered === null ? validateText('name', typed.name, NAME_CHARACTERS_MAX) : []),
    ...validateText('address.streetName', address.streetName),
    ...validateText('address.postCode', address.postCode),
    ...validateText('address.city', address.city),
    ...validateCountryCode('address.country', address.country),
    ...firstError('email', [
      [email === '', 'missing'],
      [email.length > EMAIL_CHARACTERS_MAX, 'too-long'],
      [!EMAIL.test(email), 'not-an-email'],
    ]),
    ...firstError('phone', [
      [phone === '', 'missing'],
      [!PHONE.test(phone) || !isWithin(phone.replaceAll(/\D/g, '').length, PHONE_DIGITS), 'not-a-phone'],
    ]),
  ])
}

/** Validates the beneficial owners; `today` is the reference date for ages. */
export function validateBeneficialOwners(
  typed: OwnersInput,
  today: Temporal.PlainDate,
): SectionValidation<BeneficialOwners> {
  const { nobodyOwnsMoreThanAQuarter: nobody, owners } = typed
  const shares = owners.map(({ ownershipPercent }) => Number(ownershipPercent))
  const section = {
    nobodyOwnsMoreThanAQuarter: nobody === true,
    owners: owners.map((owner, index) => ({
      ...owner,
      ownershipPercent: shares[index] ?? Number.NaN,
      isPoliticallyExposed: owner.isPoliticallyExposed === true,
    })),
  }
  const sum = shares.reduce((total, share) => total + share, 0)
  return validation(section, [
    ...firstError('nobodyOwnsMoreThanAQuarter', [
      [nobody === null, 'missing'],
      [nobody === true && owners.length > 0, 'contradicts'],
      [nobody === false && owners.length === 0, 'none'],
    ]),
    ...firstError('owners', [
      [owners.length > OWNERS_MAX, 'too-many'],
      [Number(sum.toFixed(SHARE_DECIMALS)) > OWNERSHIP_PERCENT.most, 'over-a-hundred'],
    ]),
    ...owners.slice(0, OWNERS_MAX).flatMap((owner, index) => ownerErrors(owner, `owners.${index}`, today)),
    ...findDuplicates(owners, 'owners'),
  ])
}

/** Validates the signers: one of the registry's combinations, or any typed persons when the registry has none. */
export function validateSigners(
  { signers }: ChosenSigners,
  { registered }: Pick<OnboardingAnswers, 'registered'>,
  today: Temporal.PlainDate,
): SectionValidation<ChosenSigners> {
  const combinations = registered === null ? [] : signingCombinations(registered.signingRights, registered.roles)
  const people = signers.map(toRegisteredPerson)
  if (combinations.length > 0) {
    const isOffered = combinations.some(
      (combination) => combination.length === people.length && maySign(combination, people),
    )
    return validation({ signers }, firstError('signers', [[!isOffered, 'not-a-choice']]))
  }
  return validation({ signers }, [
    ...firstError('signers', [
      [signers.length === 0, 'none'],
      [signers.length > SIGNERS_MAX, 'too-many'],
    ]),
    ...signers.slice(0, SIGNERS_MAX).flatMap((signer, index) => signerErrors(signer, `signers.${index}`, today)),
    ...findDuplicates(signers, 'signers'),
  ])
}

function ownerErrors(owner: OwnerInput, path: string, today: Temporal.PlainDate): readonly AnswerError[] {
  const share = Number(owner.ownershipPercent)
  const isShare = share > OWNERSHIP_PERCENT.above && share <= OWNERSHIP_PERCENT.most
  return [
    ...validateText(`${path}.name`, owner.name, NAME_CHARACTERS_MAX),
    ...birthDateErrors(`${path}.birthDate`, owner.birthDate, today, 0),
    ...validateCountryCode(`${path}.nationality`, owner.nationality),
    ...validateCountryCode(`${path}.country`, owner.country),
    ...firstError(`${path}.ownershipPercent`, [
      [owner.ownershipPercent === '', 'missing'],
      [!isShare, 'not-a-share'],
    ]),
    ...firstError(`${path}.isPoliticallyExposed`, [[owner.isPoliticallyExposed === null, 'missing']]),
  ]
}

function signerErrors(signer: NamedSigner, path: string, today: Temporal.PlainDate): readonly AnswerError[] {
  return [
    ...validateText(`${path}.name`, signer.name, NAME_CHARACTERS_MAX),
    ...birthDateErrors(`${path}.birthDate`, signer.birthDate, today, SIGNER_YEARS_LEAST),
  ]
}

/** Reports duplicate persons at their second position. */
function findDuplicates(people: readonly { readonly name: string; readonly birthDate: string }[], list: string) {
  const registered = people.map(toRegisteredPerson)
  return registered.flatMap((person, index): AnswerError[] =>
    registered.slice(0, index).some((earlier) => isSamePerson(earlier, person))
      ? [{ path: `${list}.${index}.name`, fault: 'twice' }]
      : [],
  )
}

function birthDateErrors(path: string, text: string, today: Temporal.PlainDate, yearsLeast: number) {
  const day = parseDay(text)
  const years = day?.until(today, { largestUnit: 'year' }).years ?? 0
  const isPast = day !== undefined && Temporal.PlainDate.compare(day, today) <= 0
  return firstError(path, [
    [text === '', 'missing'],
    [day === undefined, 'not-a-date'],
    [!isPast || years < yearsLeast || years > AGE_YEARS_MAX, 'not-a-birth-date'],
  ])
}

function validateText(path: string, text: string, most = TEXT_CHARACTERS_MAX): readonly AnswerError[] {
  return firstError(path, [
    [text.trim() === '', 'missing'],
    [text.length > most, 'too-long'],
    [UNPRINTABLE.test(text), 'unprintable'],
  ])
}

function validateCountryCode(path: string, text: string): readonly AnswerError[] {
  return firstError(path, [
    [text === '', 'missing'],
    [!isCountryCode(text), 'not-a-country'],
  ])
}

/** Returns at most one error per field: the first rule that fails. */
function firstError(
  path: string,
  rules: readonly (readonly [isWrong: boolean, fault: AnswerErrorCode])[],
): readonly AnswerError[] {
  const failed = rules.find(([isWrong]) => isWrong)
  return failed === undefined ? [] : [{ path, fault: failed[1] }]
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most
}

function validation<Section>(section: Section, errors: readonly AnswerError[]): SectionValidation<Section> {
  return errors.length === 0 ? { isValid: true, section } : { isValid: false, errors }
}
