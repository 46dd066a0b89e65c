/** The rules on what a company's people write, one function per section; each finds every problem at once. */
import { isCountryCode } from '../../countries/iso-countries.ts'
import { isSamePerson } from '../../registries/is-same-person.ts'
import { maySign, signingCombinations } from '../../registries/signing-rights.ts'
import {
  asRegistered,
  type BeneficialOwner,
  type BeneficialOwners,
  type ChosenSigners,
  type CompanyDetails,
  type NamedSigner,
  type OnboardingAnswers,
} from './onboarding-answers.ts'

/** What can be wrong with what somebody wrote; pages word it. */
export type AnswerFault =
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

/** One problem and where it is: `address.city`, `owners.1.birthDate`. */
export type AnswerProblem = { readonly path: string; readonly fault: AnswerFault }

/** An owner as it was typed: the question may be unanswered, the share no number. */
export type OwnerTyped = Omit<BeneficialOwner, 'ownershipPercent' | 'isPoliticallyExposed'> & {
  readonly ownershipPercent: number | string
  readonly isPoliticallyExposed: boolean | null
}
export type OwnersTyped = {
  readonly nobodyOwnsMoreThanAQuarter: boolean | null
  readonly owners: readonly OwnerTyped[]
}

/** A sound section, or what is wrong with it. */
export type Judged<Section> =
  | { readonly isSound: true; readonly section: Section }
  | { readonly isSound: false; readonly problems: readonly AnswerProblem[] }

const TEXT_CHARACTERS_MAX = 140
const NAME_CHARACTERS_MAX = 200
/** RFC 5321, 4.5.3.1.3 without the angle brackets. */
const EMAIL_CHARACTERS_MAX = 254
/** What people type, not all that RFC 5322 allows. */
const EMAIL = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@.<>"(),:;[\]\\]{2,}$/
const PHONE = /^\+?[\d\s().-]+$/
const PHONE_DIGITS = [5, 15] as const
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** More than three cannot each own more than a quarter, but one may control by votes what others own. */
const OWNERS_MAX = 4
export const SIGNERS_MAX = 12
const OWNERSHIP_PERCENT = { above: 25, most: 100 }
const AGE_YEARS_MAX = 120
/** Nobody younger binds a company. */
const SIGNER_YEARS_LEAST = 18

/** How the company is reached; its name is the registry's wherever one tells it. */
export function judgeCompanyDetails(
  typed: CompanyDetails,
  { registered }: Pick<OnboardingAnswers, 'registered'>,
): Judged<CompanyDetails> {
  const section = {
    ...typed,
    name: registered?.name ?? typed.name,
    phone: typed.phone.replaceAll(/[\s().-]+/g, ' ').trim(),
  }
  const { address, email, phone } = section
  return judged(section, [
    ...(registered === null ? textProblems('name', typed.name, NAME_CHARACTERS_MAX) : []),
    ...textProblems('address.streetName', address.streetName),
    ...textProblems('address.postCode', address.postCode),
    ...textProblems('address.city', address.city),
    ...countryProblems('address.country', address.country),
    ...firstOf('email', [
      [email === '', 'missing'],
      [email.length > EMAIL_CHARACTERS_MAX, 'too-long'],
      [!EMAIL.test(email), 'not-an-email'],
    ]),
    ...firstOf('phone', [
      [phone === '', 'missing'],
      [!PHONE.test(phone) || !isWithin(phone.replaceAll(/\D/g, '').length, PHONE_DIGITS), 'not-a-phone'],
    ]),
  ])
}

/** Who owns or controls more than a quarter; today is the day by which people are as old as they are. */
export function judgeBeneficialOwners(typed: OwnersTyped, today: Temporal.PlainDate): Judged<BeneficialOwners> {
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
  return judged(section, [
    ...firstOf('nobodyOwnsMoreThanAQuarter', [
      [nobody === null, 'missing'],
      [nobody === true && owners.length > 0, 'contradicts'],
      [nobody === false && owners.length === 0, 'none'],
    ]),
    ...firstOf('owners', [
      [owners.length > OWNERS_MAX, 'too-many'],
      [sum > OWNERSHIP_PERCENT.most, 'over-a-hundred'],
    ]),
    ...owners.slice(0, OWNERS_MAX).flatMap((owner, index) => ownerProblems(owner, `owners.${index}`, today)),
    ...repeated(owners, 'owners'),
  ])
}

/** Who signs: one of the registry's combinations, or, where it tells none, whoever was typed. */
export function judgeSigners(
  { signers }: ChosenSigners,
  { registered }: Pick<OnboardingAnswers, 'registered'>,
  today: Temporal.PlainDate,
): Judged<ChosenSigners> {
  const combinations = registered === null ? [] : signingCombinations(registered.signingRights, registered.roles)
  const people = signers.map(asRegistered)
  if (combinations.length > 0) {
    const isOffered = combinations.some((one) => one.length === people.length && maySign(one, people))
    return judged({ signers }, firstOf('signers', [[!isOffered, 'not-a-choice']]))
  }
  return judged({ signers }, [
    ...firstOf('signers', [
      [signers.length === 0, 'none'],
      [signers.length > SIGNERS_MAX, 'too-many'],
    ]),
    ...signers.slice(0, SIGNERS_MAX).flatMap((signer, index) => signerProblems(signer, `signers.${index}`, today)),
    ...repeated(signers, 'signers'),
  ])
}

function ownerProblems(owner: OwnerTyped, path: string, today: Temporal.PlainDate): readonly AnswerProblem[] {
  const share = Number(owner.ownershipPercent)
  const isShare = share > OWNERSHIP_PERCENT.above && share <= OWNERSHIP_PERCENT.most
  return [
    ...textProblems(`${path}.name`, owner.name, NAME_CHARACTERS_MAX),
    ...birthDateProblems(`${path}.birthDate`, owner.birthDate, today, 0),
    ...countryProblems(`${path}.nationality`, owner.nationality),
    ...countryProblems(`${path}.country`, owner.country),
    ...firstOf(`${path}.ownershipPercent`, [
      [owner.ownershipPercent === '', 'missing'],
      [!isShare, 'not-a-share'],
    ]),
    ...firstOf(`${path}.isPoliticallyExposed`, [[owner.isPoliticallyExposed === null, 'missing']]),
  ]
}

function signerProblems(signer: NamedSigner, path: string, today: Temporal.PlainDate): readonly AnswerProblem[] {
  return [
    ...textProblems(`${path}.name`, signer.name, NAME_CHARACTERS_MAX),
    ...birthDateProblems(`${path}.birthDate`, signer.birthDate, today, SIGNER_YEARS_LEAST),
  ]
}

/** Whoever stands there twice, at the second place. */
function repeated(people: readonly { readonly name: string; readonly birthDate: string }[], list: string) {
  const registered = people.map(asRegistered)
  return registered.flatMap((person, index): AnswerProblem[] =>
    registered.slice(0, index).some((earlier) => isSamePerson(earlier, person))
      ? [{ path: `${list}.${index}.name`, fault: 'twice' }]
      : [],
  )
}

function birthDateProblems(path: string, text: string, today: Temporal.PlainDate, yearsLeast: number) {
  const day = readDay(text)
  const years = day?.until(today, { largestUnit: 'year' }).years ?? 0
  const isPast = day !== undefined && Temporal.PlainDate.compare(day, today) <= 0
  return firstOf(path, [
    [text === '', 'missing'],
    [day === undefined, 'not-a-date'],
    [!isPast || years < yearsLeast || years > AGE_YEARS_MAX, 'not-a-birth-date'],
  ])
}

function readDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) {
    return undefined
  }
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

function textProblems(path: string, text: string, most = TEXT_CHARACTERS_MAX): readonly AnswerProblem[] {
  return firstOf(path, [
    [text.trim() === '', 'missing'],
    [text.length > most, 'too-long'],
    [UNPRINTABLE.test(text), 'unprintable'],
  ])
}

function countryProblems(path: string, text: string): readonly AnswerProblem[] {
  return firstOf(path, [
    [text === '', 'missing'],
    [!isCountryCode(text), 'not-a-country'],
  ])
}

/** A field has one problem at a time: the first that is true. */
function firstOf(
  path: string,
  rules: readonly (readonly [isWrong: boolean, fault: AnswerFault])[],
): readonly AnswerProblem[] {
  const found = rules.find(([isWrong]) => isWrong)
  return found === undefined ? [] : [{ path, fault: found[1] }]
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most
}

function judged<Section>(section: Section, problems: readonly AnswerProblem[]): Judged<Section> {
  return problems.length === 0 ? { isSound: true, section } : { isSound: false, problems }
}
