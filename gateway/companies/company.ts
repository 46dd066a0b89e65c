/** Defines a company: a customer of a partner, identified by its organisation number. */
import { ALL_UNPRINTABLE, UNPRINTABLE } from '../platform/copied-text.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/** A company that a partner has onboarded or registered. */
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

/** The fields of an existing company that may change. */
export type CompanyChange = Partial<
  Pick<Company, 'name' | 'onboarded' | 'services' | 'activeSubscription' | 'internationalPayments' | 'onboardingId'>
>

/** The longest name that a Nordic register holds has 175 characters. */
const NAME_CHARACTERS_MAX = 200

/** The name in its stored form. Throws when it is invalid. */
export function parseCompanyName(text: string): string {
  const name = text.trim().normalize('NFC')
  if (name === '' || name.length > NAME_CHARACTERS_MAX || UNPRINTABLE.test(name)) {
    throw apiError(
      'bad-request',
      `The name must be 1 to ${NAME_CHARACTERS_MAX} printable characters, as the registry writes it`,
    )
  }
  return name
}

/** A registry's name in its stored form: control characters are replaced and the length is limited. */
export function truncateCompanyName(text: string): string {
  const printable = text.normalize('NFC').replaceAll(ALL_UNPRINTABLE, ' ').trim()
  return printable.slice(0, NAME_CHARACTERS_MAX)
}
