/** What a company's people write in the hosted flow, section by section. */
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import type { RegisteredPerson } from '../../registries/registered-person.ts'

/** The parts of the flow that are written; each is saved by itself. */
export const SECTIONS = ['CompanyDetails', 'BeneficialOwners', 'Signers', 'Terms'] as const
export type Section = (typeof SECTIONS)[number]

/** How the company is reached. */
export type CompanyDetails = {
  /** The registry's; typed only where no registry tells. */
  readonly name: string
  readonly address: {
    readonly streetName: string
    readonly postCode: string
    readonly city: string
    /** ISO 3166-1 alpha-2. */
    readonly country: string
  }
  readonly email: string
  /** With the country's code: `+47 22 33 44 55`. */
  readonly phone: string
}

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

/** The owners, or the word that there are none. */
export type BeneficialOwners = {
  readonly nobodyOwnsMoreThanAQuarter: boolean
  readonly owners: readonly BeneficialOwner[]
}

/** A person who is to sign for the company, as the registry names it or as it was typed. */
export type NamedSigner = {
  readonly name: string
  /** `YYYY-MM-DD`. */
  readonly birthDate: string
  /** What the person is to the company by the registry; null where it was typed. */
  readonly role: string | null
}

/** Who signs together. */
export type ChosenSigners = { readonly signers: readonly NamedSigner[] }

/** Which terms were accepted, and when. */
export type TermsAccepted = { readonly version: string; readonly at: string }

/** What may be written in each section once it is sound. */
export type SectionAnswers = {
  readonly CompanyDetails: CompanyDetails
  readonly BeneficialOwners: BeneficialOwners
  readonly Signers: ChosenSigners
  readonly Terms: TermsAccepted
}

/** Everything that is known of the company, sealed together. */
export type OnboardingAnswers = {
  /** What the registry said when the link was opened; null where the country has none here. */
  readonly registered: RegisteredCompany | null
  readonly sections: Partial<SectionAnswers>
  /** What was typed last where it was not sound, as it was typed: nothing typed is lost. */
  readonly drafts: { readonly [Name in Section]?: unknown }
}

export const NO_ANSWERS: OnboardingAnswers = { registered: null, sections: {}, drafts: {} }

/** The terms that pages show at present. Whoever accepted others is asked anew until everybody has signed. */
export const TERMS_VERSION = '2026-11'

/** Whether the terms that pages show are those that were accepted. */
export function hasTodaysTerms({ sections }: Pick<OnboardingAnswers, 'sections'>): boolean {
  return sections.Terms?.version === TERMS_VERSION
}

/** A person whose name was typed or told as one text, in the form in which registries are compared. */
export function asRegistered({ name, birthDate }: Pick<NamedSigner, 'name' | 'birthDate'>): RegisteredPerson {
  return { name: { given: name, family: '' }, birthDate }
}

/** All sections, or undefined while one is missing or holds something unsound. */
export function completeSections({ sections, drafts }: OnboardingAnswers): SectionAnswers | undefined {
  const { CompanyDetails, BeneficialOwners, Signers, Terms } = sections
  const isSound = SECTIONS.every((section) => drafts[section] === undefined)
  return isSound &&
    CompanyDetails !== undefined &&
    BeneficialOwners !== undefined &&
    Signers !== undefined &&
    Terms !== undefined
    ? { CompanyDetails, BeneficialOwners, Signers, Terms }
    : undefined
}

/** Whether its people have written nothing yet, neither sound nor as a draft; what a registry tells does not count. */
export function isNothingWritten({ drafts, sections }: Pick<OnboardingAnswers, 'sections' | 'drafts'>): boolean {
  return SECTIONS.every((section) => sections[section] === undefined && drafts[section] === undefined)
}
