/** Defines the answers that users give in the hosted onboarding flow, section by section. */

import { type Static, Type } from 'typebox'
import type { OnboardingTask } from '../../../contract/onboarding.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import type { RegisteredPerson } from '../../registries/registered-person.ts'
import type { Onboarding, TaskType } from './onboarding.ts'

/** The sections of the flow; each is saved separately. */
export const SECTIONS = ['CompanyDetails', 'BeneficialOwners', 'Signers', 'Terms'] as const
export type Section = (typeof SECTIONS)[number]

const Text = Type.String()

/** The company's contact details, as a draft may hold them. */
export const CompanyDetails = Type.Object({
  /** From the company registry; typed only without a registry. */
  name: Text,
  /** The country as in ISO 3166-1 alpha-2. */
  address: Type.Object({ streetName: Text, postCode: Text, city: Text, country: Text }),
  email: Text,
  /** With country calling code: `+47 22 33 44 55`. */
  phone: Text,
})
export type CompanyDetails = Static<typeof CompanyDetails>

/** A person who owns or controls more than 25 % of the company. */
export type BeneficialOwner = {
  readonly name: string
  /** `YYYY-MM-DD`. */
  readonly birthDate: string
  /** ISO 3166-1 alpha-2. */
  readonly nationality: string
  /** Where the person lives; ISO 3166-1 alpha-2. */
  readonly country: string
  /** Above 25, up to 100. */
  readonly ownershipPercent: number
  readonly isPoliticallyExposed: boolean
}

/** The beneficial owners, or the statement that there are none. */
export type BeneficialOwners = {
  readonly nobodyOwnsMoreThanAQuarter: boolean
  readonly owners: BeneficialOwner[]
}

/** The persons who sign together, from the registry or as typed. */
export const ChosenSigners = Type.Object({
  signers: Type.Array(
    Type.Object({
      name: Text,
      /** `YYYY-MM-DD`. */
      birthDate: Text,
      /** The person's role in the registry; null when typed. */
      role: Type.Union([Text, Type.Null()]),
    }),
  ),
})
export type ChosenSigners = Static<typeof ChosenSigners>
export type NamedSigner = ChosenSigners['signers'][number]

/** The accepted version of the terms, and when it was accepted. */
export type TermsAccepted = { readonly version: string; readonly at: string }

/** The valid content of each section. */
export type SectionAnswers = {
  readonly CompanyDetails: CompanyDetails
  readonly BeneficialOwners: BeneficialOwners
  readonly Signers: ChosenSigners
  readonly Terms: TermsAccepted
}

/** Registry data and answers of a company; stored encrypted as one value. */
export type OnboardingAnswers = {
  /** The registry's answer when the link was opened; null in countries without a registry. */
  readonly registered: RegisteredCompany | null
  readonly sections: Partial<SectionAnswers>
  /** The latest invalid input of a section, as typed, so that the form can show it again. */
  readonly drafts: { readonly [Name in Section]?: unknown }
  /** Random, made when the answers are confirmed: without it, the hash of the signed document gives nothing away. */
  readonly documentSalt?: string
}

export const NO_ANSWERS: OnboardingAnswers = { registered: null, sections: {}, drafts: {} }

/** The current version of the terms. Other versions must be accepted again until everyone has signed. */
export const TERMS_VERSION = '2026-11.2'

/** Whether the current version of the terms was accepted. */
export function hasCurrentTerms({ sections }: Pick<OnboardingAnswers, 'sections'>): boolean {
  return sections.Terms?.version === TERMS_VERSION
}

/** Converts a person whose name is one text to the form that registry comparisons use. */
export function toRegisteredPerson({ name, birthDate }: Pick<NamedSigner, 'name' | 'birthDate'>): RegisteredPerson {
  return { name: { given: name, family: '' }, birthDate }
}

/** All sections; undefined while one is missing or invalid. */
export function completeSections({ sections, drafts }: OnboardingAnswers): SectionAnswers | undefined {
  const { CompanyDetails, BeneficialOwners, Signers, Terms } = sections
  const isValid = SECTIONS.every((section) => drafts[section] === undefined)
  return isValid &&
    CompanyDetails !== undefined &&
    BeneficialOwners !== undefined &&
    Signers !== undefined &&
    Terms !== undefined
    ? { CompanyDetails, BeneficialOwners, Signers, Terms }
    : undefined
}

/** Whether no section has an answer or draft; registry data does not count. */
export function hasNoAnswers({ drafts, sections }: Pick<OnboardingAnswers, 'sections' | 'drafts'>): boolean {
  return SECTIONS.every((section) => sections[section] === undefined && drafts[section] === undefined)
}

const ALWAYS = [...SECTIONS, 'Summary', 'Signatures'] as const satisfies readonly TaskType[]

/** The tasks in the order of the flow; documents only when they were requested. */
export function tasksOf({
  tasksDone,
  documentsRequestedAt,
}: Pick<Onboarding, 'tasksDone' | 'documentsRequestedAt'>): OnboardingTask[] {
  const types: readonly TaskType[] = documentsRequestedAt === null ? ALWAYS : [...ALWAYS, 'Documents']
  return types.map((type) => ({ type, status: tasksDone.includes(type) ? 'Done' : 'Open' }))
}

/** The valid sections; terms of an earlier version count as open. */
export function sectionsDone(answers: Pick<OnboardingAnswers, 'sections' | 'drafts'>): TaskType[] {
  const { sections, drafts } = answers
  return SECTIONS.filter(
    (section) =>
      sections[section] !== undefined &&
      drafts[section] === undefined &&
      (section !== 'Terms' || hasCurrentTerms(answers)),
  )
}
