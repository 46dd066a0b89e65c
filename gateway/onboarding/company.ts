/** What a company is: a customer of a partner, known by its organisation number. */

/** A company that a partner has brought in. */
export type Company = {
  readonly partnerId: string
  readonly id: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly name: string
  /** Onboarded companies may pay; registered ones give account information only. */
  readonly onboarded: boolean
  readonly activeSubscription: boolean
  readonly services: readonly CompanyService[]
  readonly internationalPayments: boolean
  readonly onboardingId: string | null
}

/** Account information, payment initiation. */
export type CompanyService = 'AIS' | 'PIS'
